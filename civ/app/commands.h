// The subcommands of the program. Each adds itself, with its options and help, to the command line.
#pragma once

#include <CLI/App.hpp>

namespace civ {

void AddAdmin(CLI::App& app);
void AddArena(CLI::App& app);
void AddAnalyze(CLI::App& app);
void AddBackup(CLI::App& app);
void AddBench(CLI::App& app);
void AddBot(CLI::App& app);
void AddExport(CLI::App& app);
void AddGames(CLI::App& app);
void AddHint(CLI::App& app);
void AddImport(CLI::App& app);
void AddMigrate(CLI::App& app);
void AddPerft(CLI::App& app);
void AddPlay(CLI::App& app);
void AddPuzzles(CLI::App& app);
void AddReferee(CLI::App& app);
void AddReplay(CLI::App& app);
void AddServe(CLI::App& app);
void AddTrain(CLI::App& app);
void AddVerify(CLI::App& app);
void AddWorker(CLI::App& app);

}  // namespace civ
