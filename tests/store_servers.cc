#include "store_servers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <map>

namespace civ {

PostgresServer& PostgresServer::Get(size_t number) {
  static std::map<size_t, PostgresServer> servers;
  return servers[number];
}

PostgresServer::PostgresServer() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execlp("python3", "python3", CIV_TESTS_DIR "/postgres.py", nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
  uri_ = ReadLine();
  if (uri_.empty()) ADD_FAILURE() << "PostgreSQL has not started";
}

PostgresServer::~PostgresServer() {
  close(input_);
  close(output_);
  waitpid(process_, nullptr, 0);
}

std::string PostgresServer::ReadLine() {
  std::string line;
  for (char c = 0; read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

void PostgresServer::Order(const std::string& what) {
  const std::string line = what + '\n';
  EXPECT_EQ(write(input_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  EXPECT_EQ(ReadLine(), "ok");
}

std::string PostgresServer::NewDatabase() {
  static std::atomic<int> last = 0;
  const std::string name = "test" + std::to_string(++last);
  RunSql(uri_, "CREATE DATABASE " + name);
  return uri_.substr(0, uri_.rfind('/') + 1) + name;
}

std::string RunSql(const std::string& uri, const std::string& sql) {
  PGconn* connection = PQconnectdb(uri.c_str());
  PGresult* result = PQexec(connection, sql.c_str());
  const ExecStatusType status = PQresultStatus(result);
  EXPECT_TRUE(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
      << sql << ": " << PQerrorMessage(connection);
  std::string value = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
  PQclear(result);
  PQfinish(connection);
  return value;
}

}  // namespace civ
