#include "civ/server/websocket.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <utility>

#include "civ/table/tell.h"

namespace civ {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

// How long the other side may take to say goodbye.
constexpr std::chrono::seconds kGoodbye{3};
// A buffer that has grown is given back: most messages are small, and most sockets are silent.
constexpr size_t kKeptBuffer = 1024;
// Frames that are read and thrown away while somebody who sent too many is being closed.
constexpr int kPatienceWithFloods = 1000;

uint16_t CodeFor(std::string_view why) {
  if (why == "closing.restart") return websocket::close_code::service_restart;
  if (why == "closing.slow") return websocket::close_code::try_again_later;
  if (why == "error.store") return websocket::close_code::try_again_later;
  return websocket::close_code::policy_error;
}

// Handlers instead of coroutines, and no buffer that is not in use: there may be ten thousand of
// these.
class WebSocket : public Client, public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(Stream stream, Clients& clients)
      : stream_(std::move(stream)), options_(clients.options()), clients_(clients) {
    stream_.set_option(websocket::stream_base::timeout{kGoodbye, 2 * options_.ping, true});
    stream_.set_option(websocket::stream_base::decorator(
        [](websocket::response_type& response) { response.erase(beast::http::field::server); }));
    stream_.read_message_max(options_.longest_message);
    stream_.auto_fragment(false);
    stream_.text(true);
    // Both are called while something is being read, for which this lives.
    stream_.control_callback([this](websocket::frame_type, beast::string_view) {
      Count(bucket_, options_.messages, 1);
    });
    beast::get_lowest_layer(stream_).rate_policy().heard = [this](size_t bytes) {
      Count(bytes_, options_.bytes, static_cast<double>(bytes));
    };
  }
  ~WebSocket() override { clients_.Gone(*this); }
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  void Accept(HttpRequest request) {
    const auto asked = std::make_shared<const HttpRequest>(std::move(request));
    stream_.async_accept(*asked, [self = shared_from_this(), asked](error_code failed) {
      if (failed) return;
      self->open_ = true;
      self->clients_.Opened(self);
      self->Read();
    });
  }

  void Send(std::shared_ptr<const std::string> text) override {
    if (!open_ || code_ != 0) return;
    if (text->starts_with("{\"type\":\"ack\""))
      clients_.Acknowledged(std::chrono::duration<double>(Bucket::Clock::now() - asked_).count());
    if (waiting_ + text->size() > options_.longest_queue) return Overflow();
    Wait(waiting_ + text->size());
    if (code_ != 0) return;
    queue_.push_back(std::move(text));
    if (!writing_) Write();
  }

  void Close(std::string_view why) override {
    if (why == "closing.slow") return Drop();
    if (!open_ || code_ != 0) return;
    Json json = {{"type", "closing"}, {"error", ToJson(Error{std::string(why), {}})}};
    if (why == "closing.restart") json["spread"] = options_.hall.Spread(clients_.size());
    Send(std::make_shared<const std::string>(json.dump()));
    if (code_ != 0) return;
    Decide(CodeFor(why));
  }

 private:
  void Read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code failed, size_t) {
      if (failed) return self->Ended();
      self->Received();
      self->Read();
    });
  }

  void Received() {
    const std::string_view text(static_cast<const char*>(buffer_.cdata().data()), buffer_.size());
    asked_ = Bucket::Clock::now();
    if (!Count(bucket_, options_.messages, 1) || code_ != 0) {
      // What comes too fast is not heard, nor what comes after the goodbye.
    } else if (!stream_.got_text()) {
      Close("error.json");
    } else {
      clients_.Received(*this, text);
    }
    buffer_.clear();
    if (buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
  }

  // Whether that is still within the rate. Who sends more is closed; and who goes on then, without
  // ceremony.
  bool Count(Bucket& bucket, const Rate& rate, double count) {
    if (bucket.Take(rate, Bucket::Clock::now(), count)) return true;
    ++over_;
    const bool last = over_ == kPatienceWithFloods;
    if (over_ == 1 || last)
      asio::post(stream_.get_executor(), [weak = weak_from_this(), last] {
        const auto self = weak.lock();
        if (!self) return;
        if (last) return beast::get_lowest_layer(self->stream_).close();
        self->Close("error.too-many-requests");
      });
    return false;
  }

  void Ended() {
    if (!std::exchange(open_, false)) return;
    queue_.clear();
    clients_.Closed(*this);
  }

  // One text after the other, in order.
  void Write() {
    writing_ = true;
    const std::shared_ptr<const std::string>& text = queue_[next_];
    stream_.async_write(asio::buffer(*text),
                        [self = shared_from_this(), text](error_code failed, size_t) {
                          self->writing_ = false;
                          if (failed || !self->open_) return;
                          self->Written(text->size());
                        });
  }

  void Written(size_t size) {
    Wait(waiting_ - std::min(waiting_, size));
    if (next_ < queue_.size()) queue_[next_++] = nullptr;
    if (next_ < queue_.size()) return Write();
    queue_ = {};
    next_ = 0;
    if (code_ != 0) SayGoodbye();
  }

  // Back-pressure has failed: the client does not read. What waits is thrown away, and it is closed
  // as soon as it has taken what is under way.
  void Overflow() {
    Empty();
    Wait(0);
    Decide(CodeFor("closing.slow"));
  }

  // The same without ceremony, so that what is under way goes, too. Only the clients do that, and
  // count nothing for it any more.
  void Drop() {
    Empty();
    waiting_ = 0;
    code_ = CodeFor("closing.slow");
    beast::get_lowest_layer(stream_).close();
  }

  void Empty() {
    queue_ = {};
    next_ = 0;
    clients_.TooSlow();
  }

  void Wait(size_t bytes) {
    waiting_ = bytes;
    clients_.Waits(*this, bytes);
  }

  // Closes it once everything is written, and without ceremony if that takes too long.
  void Decide(uint16_t code) {
    code_ = code;
    const auto timer = std::make_shared<asio::steady_timer>(stream_.get_executor(), 2 * kGoodbye);
    timer->async_wait([weak = weak_from_this(), timer](error_code) {
      if (const auto self = weak.lock()) beast::get_lowest_layer(self->stream_).close();
    });
    if (!writing_) SayGoodbye();
  }

  void SayGoodbye() {
    stream_.async_close(websocket::close_reason(code_), [self = shared_from_this()](error_code) {});
  }

  websocket::stream<Stream, false> stream_;  // without permessage-deflate
  const ServerOptions& options_;
  Clients& clients_;
  beast::flat_buffer buffer_;
  std::vector<std::shared_ptr<const std::string>> queue_;
  size_t next_ = 0;     // the first in the queue that is not written
  size_t waiting_ = 0;  // bytes in the queue
  uint16_t code_ = 0;   // with which it is to be closed; 0 while it is not
  bool open_ = false, writing_ = false;
  int over_ = 0;  // frames and pieces that came too fast
  Bucket bucket_, bytes_;
  Bucket::Clock::time_point asked_;  // when the last message came
};

}  // namespace

void AcceptWebSocket(Stream stream, HttpRequest request, Upgrade upgrade, Clients& clients) {
  const auto socket = std::make_shared<WebSocket>(std::move(stream), clients);
  clients.Add(*socket, std::move(upgrade));
  socket->Accept(std::move(request));
}

}  // namespace civ
