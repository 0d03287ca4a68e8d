#include <CLI/CLI.hpp>
#include <csignal>

#include "app/commands.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error to report, not a crash
  CLI::App app("CIV: Carta Impera Victoria. An unofficial implementation of the card game by Rémi Amy.", "civ");
  app.set_version_flag("--version", "civ " CIV_VERSION);
  app.require_subcommand(1);
  civ::AddPlay(app);
  civ::AddServe(app);
  civ::AddAdmin(app);
  civ::AddBackup(app);
  civ::AddReferee(app);
  civ::AddReplay(app);
  civ::AddVerify(app);
  civ::AddExport(app);
  civ::AddImport(app);
  civ::AddAnalyze(app);
  civ::AddHint(app);
  civ::AddPerft(app);
  civ::AddArena(app);
  civ::AddBench(app);
  civ::AddTrain(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& failed) {
    return failed.get_exit_code();
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? 0 : 2;
  }
  return 0;
}
