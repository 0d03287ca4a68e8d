#include "civ/app/program.h"

#include <CLI/CLI.hpp>
#include <csignal>

#include "civ/app/commands.h"

namespace civ {

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error to report, not a crash
  CLI::App app(
      "CIV: Carta Impera Victoria. An unofficial implementation of the card game by Rémi Amy.",
      "civ");
  app.set_version_flag("--version", "civ " CIV_VERSION);
  app.require_subcommand(1);
  AddPlay(app);
  AddServe(app);
  AddWorker(app);
  AddAdmin(app);
  AddBackup(app);
  AddMigrate(app);
  AddReferee(app);
  AddReplay(app);
  AddVerify(app);
  AddExport(app);
  AddImport(app);
  AddAnalyze(app);
  AddHint(app);
  AddPuzzles(app);
  AddPerft(app);
  AddArena(app);
  AddBot(app);
  AddGames(app);
  AddBench(app);
  AddTrain(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& failed) {
    return failed.get_exit_code();
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? 0 : 2;
  }
  return 0;
}

}  // namespace civ
