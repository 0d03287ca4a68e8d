"""What the tests of the program share: checks that are counted, and told when they fail."""

passed = failed = 0


def check(name, right, detail=""):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}")
    return right


def finish():
    """Says how it went; gives the exit code."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
