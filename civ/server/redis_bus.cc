#include "civ/server/redis_bus.h"

#include <hiredis/async.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <list>
#include <unordered_map>
#include <vector>

namespace civ {
namespace {

using boost::asio::io_context;
using boost::asio::steady_timer;
using Descriptor = boost::asio::posix::stream_descriptor;

constexpr std::chrono::milliseconds kPause{500};   // before it is tried again
constexpr std::chrono::milliseconds kBeat{1'000};  // between two looks whether it is there
constexpr int kMostMissed = 5;                     // of them, then the connection is given up
constexpr const char* kDay = "86400000";           // milliseconds
constexpr const char* kPrefix = "civ.";            // of all keys and topics

}  // namespace

// One connection to Redis, which makes itself anew whenever it is lost.
class RedisLine {
 public:
  using Reply = std::function<void(const redisReply*)>;

  RedisLine(io_context& context, RedisAddress address, std::function<void()> up,
            std::function<void()> down)
      : address_(std::move(address)),
        up_(std::move(up)),
        down_(std::move(down)),
        descriptor_(context),
        pause_(context) {
    Connect();
  }
  ~RedisLine() {
    closing_ = true;
    Drop();
  }
  RedisLine(const RedisLine&) = delete;
  RedisLine& operator=(const RedisLine&) = delete;

  bool connected() const { return connected_; }

  // The reply is null if the connection is lost before it comes. Nothing is sent without one.
  void Send(const std::vector<std::string>& words, Reply reply = {}) {
    if (!connected_) return;
    auto* waits = new Reply(std::move(reply));
    if (!Write(words, &OnReply, waits)) delete waits;
  }
  // All that comes on a topic goes to `heard`.
  void Subscribe(const std::string& topic, Reply* heard) {
    if (connected_) Write({"SUBSCRIBE", topic}, &OnHeard, heard);
  }

  // To this there is no reply.
  void Unsubscribe(const std::string& topic) {
    if (connected_) Write({"UNSUBSCRIBE", topic}, nullptr, nullptr);
  }

  void Drop() {
    if (redisAsyncContext* lost = std::exchange(redis_, nullptr)) redisAsyncFree(lost);
    Lost();
  }

 private:
  bool Write(const std::vector<std::string>& words, redisCallbackFn* call, void* data) {
    std::vector<const char*> texts;
    std::vector<size_t> lengths;
    for (const std::string& word : words) {
      texts.push_back(word.data());
      lengths.push_back(word.size());
    }
    return redisAsyncCommandArgv(redis_, call, data, static_cast<int>(words.size()), texts.data(),
                                 lengths.data()) == REDIS_OK;
  }

  static void OnReply(redisAsyncContext*, void* reply, void* data) {
    const std::unique_ptr<Reply> waits(static_cast<Reply*>(data));
    if (*waits) (*waits)(static_cast<const redisReply*>(reply));
  }
  static void OnHeard(redisAsyncContext*, void* reply, void* data) {
    if (reply != nullptr) (*static_cast<Reply*>(data))(static_cast<const redisReply*>(reply));
  }

  void Connect() {
    if (closing_) return;
    redis_ = redisAsyncConnect(address_.host.c_str(), address_.port);
    if (redis_ == nullptr) return Later();
    if (redis_->err != 0) return Drop();
    redis_->data = this;
    descriptor_.assign(redis_->c.fd);
    redis_->ev.data = this;
    redis_->ev.addRead = [](void* line) { static_cast<RedisLine*>(line)->Want(true, true); };
    redis_->ev.delRead = [](void* line) { static_cast<RedisLine*>(line)->Want(true, false); };
    redis_->ev.addWrite = [](void* line) { static_cast<RedisLine*>(line)->Want(false, true); };
    redis_->ev.delWrite = [](void* line) { static_cast<RedisLine*>(line)->Want(false, false); };
    redis_->ev.cleanup = [](void* line) { static_cast<RedisLine*>(line)->Released(); };
    redisAsyncSetConnectCallback(redis_, [](const redisAsyncContext* redis, int status) {
      static_cast<RedisLine*>(redis->data)->Connected(status == REDIS_OK);
    });
    redisAsyncSetDisconnectCallback(redis_, [](const redisAsyncContext* redis, int) {
      auto* line = static_cast<RedisLine*>(redis->data);
      line->redis_ = nullptr;  // which is freed now
      line->Lost();
    });
  }

  void Connected(bool well) {
    if (!well) {
      redis_ = nullptr;
      return Lost();
    }
    connected_ = true;
    if (!address_.password.empty()) {
      std::vector<std::string> words = {"AUTH"};
      if (!address_.user.empty()) words.push_back(address_.user);
      words.push_back(address_.password);
      Send(words);
    }
    if (address_.database != 0) Send({"SELECT", std::to_string(address_.database)});
    up_();
  }

  void Lost() {
    const bool was = std::exchange(connected_, false);
    if (closing_) return;
    if (was) down_();
    Later();
  }

  void Later() {
    pause_.expires_after(kPause);
    pause_.async_wait(
        [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& ended) {
          if (!ended && !alive.expired() && redis_ == nullptr) Connect();
        });
  }

  // hiredis says what it waits for.
  void Want(bool read, bool on) {
    wants_[read] = on;
    if (on) Wait(read);
  }
  void Wait(bool read) {
    if (std::exchange(waits_[read], true)) return;
    descriptor_.async_wait(read ? Descriptor::wait_read : Descriptor::wait_write,
                           [this, read, alive = std::weak_ptr(alive_),
                            of = generation_](const boost::system::error_code& ended) {
                             if (alive.expired() || of != generation_) return;
                             waits_[read] = false;
                             if (ended || redis_ == nullptr || !wants_[read]) return;
                             read ? redisAsyncHandleRead(redis_) : redisAsyncHandleWrite(redis_);
                             if (of == generation_ && redis_ != nullptr && wants_[read]) Wait(read);
                           });
  }
  void Released() {
    ++generation_;
    wants_[0] = wants_[1] = waits_[0] = waits_[1] = false;
    if (descriptor_.is_open()) descriptor_.release();  // hiredis closes it
  }

  const RedisAddress address_;
  const std::function<void()> up_, down_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>();
  Descriptor descriptor_;
  steady_timer pause_;
  redisAsyncContext* redis_ = nullptr;
  uint64_t generation_ = 0;
  bool wants_[2] = {}, waits_[2] = {};
  bool connected_ = false, closing_ = false;
};

std::string TextOf(const redisReply* reply) { return {reply->str, reply->len}; }

std::optional<RedisAddress> RedisAddress::From(std::string_view uri) {
  constexpr std::string_view kScheme = "redis://";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  RedisAddress address;
  const auto number = [](std::string_view text, int& into) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), into);
    return status == std::errc() && end == text.data() + text.size() && into >= 0;
  };
  if (const size_t slash = uri.find('/'); slash != uri.npos) {
    if (slash + 1 < uri.size() && !number(uri.substr(slash + 1), address.database))
      return std::nullopt;
    uri = uri.substr(0, slash);
  }
  if (const size_t at = uri.rfind('@'); at != uri.npos) {
    const std::string_view who = uri.substr(0, at);
    const size_t colon = who.find(':');
    if (colon == who.npos) return std::nullopt;
    address.user = who.substr(0, colon);
    address.password = who.substr(colon + 1);
    uri = uri.substr(at + 1);
  }
  if (const size_t colon = uri.rfind(':'); colon != uri.npos && uri.back() != ']') {
    if (!number(uri.substr(colon + 1), address.port) || address.port > 65535) return std::nullopt;
    uri = uri.substr(0, colon);
  }
  if (uri.starts_with('[') && uri.ends_with(']')) uri = uri.substr(1, uri.size() - 2);
  if (!uri.empty()) address.host = uri;
  return address;
}

struct RedisBus::Impl {
  Impl(io_context& in, const RedisAddress& address, const std::string& name, RedisBus::Log to)
      : context(in),
        log(std::move(to)),
        own_topic(kPrefix + ("alive." + name)),
        beat(in),
        commands(
            in, address, [this] { Changed(); }, [this] { Changed(); }),
        hints(
            in, address,
            [this] {
              for (const auto& [topic, handlers] : listeners) hints.Subscribe(topic, &heard);
              hints.Subscribe(own_topic, &heard);
              Changed();
            },
            [this] { Changed(); }) {
    Beat();
  }

  bool Well() const { return commands.connected() && hints.connected(); }
  void Changed() {
    if (Well() == was_well) return;
    was_well = Well();
    missed = 0;
    log(was_well ? "info" : "error", was_well ? "bus.reached" : "bus.lost", Json::object());
  }

  // A connection may be dead without anybody having said so: what goes out must come back.
  void Beat() {
    beat.expires_after(kBeat);
    beat.async_wait([this, alive = std::weak_ptr(alive)](const boost::system::error_code& ended) {
      if (ended || alive.expired()) return;
      if (Well() && ++missed > kMostMissed) {
        commands.Drop();
        hints.Drop();
      }
      commands.Send({"PUBLISH", own_topic, ""});
      Beat();
    });
  }

  void Hear(const redisReply* reply) {
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3 ||
        reply->element[0]->type != REDIS_REPLY_STRING || TextOf(reply->element[0]) != "message")
      return;
    const std::string topic = TextOf(reply->element[1]), text = TextOf(reply->element[2]);
    if (topic == own_topic) missed = 0;
    const auto found = listeners.find(topic);
    if (found == listeners.end()) return;
    std::vector<Handler> handlers;  // one of them may end its own subscription
    for (const auto& [number, handler] : found->second) handlers.push_back(handler);
    for (const Handler& handler : handlers) handler(text);
  }

  void End(const std::string& topic, uint64_t number) {
    const auto found = listeners.find(topic);
    if (found == listeners.end()) return;
    std::erase_if(found->second, [&](const auto& entry) { return entry.first == number; });
    if (!found->second.empty()) return;
    listeners.erase(found);
    hints.Unsubscribe(topic);
  }

  // Calls that, with what the reply says, or with nothing.
  template <class Answer, class Read>
  void Ask(const std::vector<std::string>& words, Answer answer, Read read) {
    if (!commands.connected())
      return boost::asio::post(context, [answer = std::move(answer)] { answer(std::nullopt); });
    commands.Send(words, [this, answer = std::move(answer), read](const redisReply* reply) {
      if (reply == nullptr || reply->type == REDIS_REPLY_ERROR)
        return boost::asio::post(context, [answer] { answer(std::nullopt); });
      answer(read(reply));
    });
  }

  io_context& context;
  const RedisBus::Log log;
  const std::string own_topic;
  const std::shared_ptr<int> alive = std::make_shared<int>();
  std::unordered_map<std::string, std::list<std::pair<uint64_t, Handler>>> listeners;  // by topic
  RedisLine::Reply heard = [this](const redisReply* reply) { Hear(reply); };
  uint64_t last = 0;
  int missed = 0;
  bool was_well = false;
  steady_timer beat;
  RedisLine commands, hints;
};

RedisBus::RedisBus(io_context& context, const RedisAddress& address, const std::string& name,
                   Log log)
    : impl_(std::make_shared<Impl>(context, address, name, std::move(log))) {}
RedisBus::~RedisBus() = default;

bool RedisBus::healthy() const { return impl_->Well(); }

void RedisBus::Publish(const std::string& topic, const std::string& text) {
  impl_->commands.Send({"PUBLISH", kPrefix + topic, text});
}

Bus::Subscription RedisBus::Subscribe(const std::string& topic, Handler handler) {
  const std::string name = kPrefix + topic;
  const uint64_t number = ++impl_->last;
  auto& handlers = impl_->listeners[name];
  if (handlers.empty()) impl_->hints.Subscribe(name, &impl_->heard);
  handlers.emplace_back(number, std::move(handler));
  return {nullptr, [impl = std::weak_ptr(impl_), name, number](const void*) {
            if (const auto still = impl.lock()) still->End(name, number);
          }};
}

void RedisBus::Note(const std::string& place, const std::string& who, int64_t until) {
  const std::string key = kPrefix + place;
  impl_->commands.Send({"ZADD", key, std::to_string(until), who});
  impl_->commands.Send({"PEXPIRE", key, kDay});
}

void RedisBus::ReadNotes(const std::string& place,
                         std::function<void(std::optional<Notes>)> answer) {
  impl_->Ask({"ZRANGE", kPrefix + place, "0", "-1", "WITHSCORES"}, std::move(answer),
             [](const redisReply* reply) -> std::optional<Notes> {
               Notes notes;
               for (size_t i = 0; i + 1 < reply->elements; i += 2)
                 notes[TextOf(reply->element[i])] =
                     static_cast<int64_t>(std::strtod(reply->element[i + 1]->str, nullptr));
               return notes;
             });
}

void RedisBus::Count(const std::string& key, int64_t milliseconds,
                     std::function<void(std::optional<int64_t>)> answer) {
  const std::string name = kPrefix + key;
  impl_->Ask({"INCR", name}, std::move(answer),
             [](const redisReply* reply) -> std::optional<int64_t> { return reply->integer; });
  impl_->commands.Send({"PEXPIRE", name, std::to_string(milliseconds), "NX"});
}

}  // namespace civ
