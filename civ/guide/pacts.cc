#include "civ/guide/pacts.h"

#include <algorithm>

#include "civ/guide/json.h"
#include "civ/guide/look.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

// Messages about players, some of whom may be the one who is told.
struct PactLine {
  Message message;
  const Listener& to;

  PactLine& By(Seat seat) { return Name("you", "name", seat); }
  PactLine& With(Seat seat) { return Name("atyou", "other", seat); }
  PactLine& Against(Seat seat) { return Name("onyou", "about", seat); }
  PactLine& To(unsigned seats) {
    message.Add("toyou", YesNo(to.you && seats == 1u << to.seat)).Add("to", Group{seats});
    return *this;
  }
  PactLine& Add(std::string_view name, Value value) {
    message.Add(name, std::move(value));
    return *this;
  }

 private:
  PactLine& Name(const char* you, const char* name, Seat seat) {
    message.Add(you, YesNo(to.Is(seat))).Add(name, Who{seat});
    return *this;
  }
};

PactLine Line(std::string_view key, const Listener& to) { return {{key, {}}, to}; }

std::string PactKey(std::string_view what, TalkKind kind) {
  return "pact." + std::string(what) + std::string(NameOf(kind));
}

int RoundsOf(const Pact& pact, const Public& table) {
  return (pact.last - pact.begun) / table.config.players;
}

// Of a pact, with its members and whom it is against.
Message TellBetween(std::string_view what, const Pact& pact, Seat by, const Listener& to) {
  PactLine told = Line(PactKey(what, pact.kind), to).By(by).With(pact.Other(by));
  return pact.kind == TalkKind::Together ? told.Against(pact.against).message : told.message;
}

Message TellYes(const Pact& pact, Seat by, const Public& table, const Listener& to) {
  Message told = TellBetween("yes-", pact, by, to);
  if (pact.kind == TalkKind::Truce) told.Add("rounds", RoundsOf(pact, table));
  return told;
}

Message TellSpoken(const News& news, const Public& table, const Listener& to) {
  const Talk& talk = news.talk;
  const Pact& pact = news.pact;
  switch (talk.kind) {
    case TalkKind::Truce:
    case TalkKind::Together:
      return TellOffer({.kind = talk.kind,
                        .by = news.seat,
                        .to = talk.to,
                        .against = talk.about,
                        .rounds = talk.rounds},
                       to);
    case TalkKind::Yes: return TellYes(pact, news.seat, table, to);
    case TalkKind::No: return Line("pact.no", to).By(news.seat).With(pact.Other(news.seat)).message;
    case TalkKind::GiveUp: return TellBetween("give-up-", pact, news.seat, to);
    case TalkKind::Warn:
      return Line("pact.warn", to)
          .By(news.seat)
          .Against(talk.about)
          .Add("domain", talk.domain)
          .message;
    case TalkKind::Signal: break;
  }
  return Line("pact.signal", to).By(news.seat).Add("domain", talk.domain).message;
}

}  // namespace

Message TellOffer(const Proposal& offer, const Listener& to) {
  PactLine told = Line(PactKey("", offer.kind), to).By(offer.by).To(offer.to);
  return offer.kind == TalkKind::Truce ? told.Add("rounds", offer.rounds).message
                                       : told.Against(offer.against).message;
}

Message TellTerms(TalkKind kind, Seat against, const Public& table, const Listener& to) {
  PactLine told = Line(PactKey("about-", kind), to);
  if (kind == TalkKind::Truce) return told.message;
  return told.Against(against).Add("domain", StrongestOf(table, against)).message;
}

Message Tell(const News& news, const Public& table, const Listener& to) {
  if (news.kind == News::Spoken) return TellSpoken(news, table, to);
  if (news.kind == News::Over) return TellBetween("over-", news.pact, news.pact.seats[0], to);
  Message told = TellBetween("broken-", news.pact, news.seat, to);
  if (news.action != kEnd) told.Add("effect", news.action.effect());
  return told;
}

void TellTalk(std::vector<Told>& story, std::span<const News> news, const Public& table,
              const Listener& to) {
  Told* before = nullptr;
  for (Told& told : story) {
    Messages said;
    for (; !news.empty() && news.front().at <= told.begin; news = news.subspan(1)) {
      const bool follows = news.front().kind != News::Spoken && before != nullptr;
      (follows ? before->lines : said).push_back(Tell(news.front(), table, to));
    }
    told.lines.insert(told.lines.begin(), said.begin(), said.end());
    before = &told;
  }
  if (news.empty()) return;
  Told last{news.front().at, news.front().at, kNone, table.turn, {}, {}, {}};
  for (const News& one : news) last.lines.push_back(Tell(one, table, to));
  story.push_back(std::move(last));
}

std::span<const News> NewsFrom(const Diplomacy& pacts, size_t actions) {
  const auto first =
      std::ranges::find_if(pacts.news, [=](const News& news) { return news.at >= actions; });
  return {first, pacts.news.end()};
}

Message TellPact(const Pact& pact, const Public& table, const Listener& to) {
  const Seat by = to.you && pact.Binds(to.seat) ? to.seat : pact.seats[0];
  Message told = TellBetween("holds-", pact, by, to);
  if (pact.kind == TalkKind::Truce) told.Add("rounds", RoundsLeft(pact, table));
  return told;
}

Message TellPossible(const Talk& talk, const Diplomacy& pacts, const Listener& to) {
  PactLine told = Line(PactKey("do-", talk.kind), to);
  if (IsProposal(talk.kind)) told.To(talk.to);
  if (talk.kind == TalkKind::Truce) told.Add("rounds", talk.rounds);
  if (talk.about != kNone) told.Against(talk.about);
  if (talk.kind == TalkKind::Warn || talk.kind == TalkKind::Signal) told.Add("domain", talk.domain);
  for (const Proposal& offer : pacts.offers)
    if (offer.id == talk.id) told.With(offer.by);
  for (const Pact& pact : pacts.pacts)
    if (pact.id == talk.id) return TellBetween("do-give-up-", pact, to.seat, to);
  return told.message;
}

Messages TellBreaks(const Diplomacy& pacts, const Public& table, Action action,
                    const Listener& to) {
  Messages told;
  for (const Pact& pact : pacts.BrokenBy(table, action))
    told.push_back(TellBetween("breaks-", pact, table.seat, to));
  return told;
}

namespace {

// What is said of a pact or an offer, and what it comes to.
void PutLines(JsonText& text, const Message& line, TalkKind kind, Seat against, const View& view,
              const Listener& to) {
  Put(text.Key("line"), line);
  if (IsProposal(kind)) Put(text.Key("terms"), TellTerms(kind, against, view, to));
}

void PutOffers(JsonText& text, const Diplomacy& pacts, const View& view, const Listener& to) {
  text.Key("offers").Open('[');
  for (const Proposal& offer : pacts.offers) {
    text.Open('{').Key("id").Number(offer.id).Key("by").Number(offer.by);
    text.Key("yours").Raw((offer.to >> view.viewer & 1) != 0 ? "true" : "false");
    text.Key("to").Open('[');
    for (Seat seat = 0; seat < view.config.players; ++seat)
      if ((offer.to >> seat & 1) != 0) text.Number(seat);
    text.Close(']').Key("say").Name(NameOf(offer.kind));
    PutSeat(text.Key("against"), offer.against);
    PutLines(text, TellOffer(offer, to), offer.kind, offer.against, view, to);
    text.Close('}');
  }
  text.Close(']');
}

void PutPacts(JsonText& text, const Diplomacy& pacts, const View& view, const Listener& to) {
  text.Key("pacts").Open('[');
  for (const Pact& pact : pacts.pacts) {
    text.Open('{').Key("id").Number(pact.id).Key("say").Name(NameOf(pact.kind));
    text.Key("seats").Open('[').Number(pact.seats[0]).Number(pact.seats[1]).Close(']');
    PutSeat(text.Key("against"), pact.against);
    PutSeat(text.Key("givenUp"), pact.given_up);
    text.Key("left").Number(pact.last == kOpenEnd ? 0 : RoundsLeft(pact, view));
    PutLines(text, TellPact(pact, view, to), pact.kind, pact.against, view, to);
    text.Close('}');
  }
  text.Close(']');
}

void PutBroken(JsonText& text, const Diplomacy& pacts, const View& view, const Listener& to) {
  text.Key("broken").Open('[');
  for (const Broken& broken : pacts.broken) {
    text.Open('{').Key("id").Number(broken.pact.id).Key("by").Number(broken.by);
    text.Key("with").Number(broken.pact.Other(broken.by));
    text.Key("say").Name(NameOf(broken.pact.kind)).Key("turn").Number(broken.turn);
    const News news = {
        .kind = News::Breach, .seat = broken.by, .pact = broken.pact, .action = broken.action};
    Put(text.Key("line"), Tell(news, view, to));
    text.Close('}');
  }
  text.Close(']');
}

void PutPossible(JsonText& text, const Diplomacy& pacts, const View& view, const Listener& to) {
  text.Key("possible").Open('[');
  for (const Talk& talk : pacts.Possible(view, view.viewer, ThreatsSeen(view))) {
    text.Open('{').Key("talk").Raw(Dump(ToJson(talk)));
    PutLines(text, TellPossible(talk, pacts, to), talk.kind, talk.about, view, to);
    text.Close('}');
  }
  text.Close(']').Key("breaks").Open('{');
  if (view.seat == view.viewer)
    for (const Action action : Legal(view))
      if (const Messages broken = TellBreaks(pacts, view, action, to); !broken.empty())
        PutAll(text.Key(NameOf(action)), broken);
  text.Close('}');
}

void PutNews(JsonText& text, const Diplomacy& pacts, const View& view, const Listener& to) {
  text.Key("news").Open('[');
  for (const News& news : pacts.news) {
    text.Open('{').Key("at").Number(news.at).Key("what").Name(NameOf(news.kind));
    text.Key("say").Name(NameOf(news.kind == News::Spoken ? news.talk.kind : news.pact.kind));
    PutSeat(text.Key("seat"), news.seat);
    Put(text.Key("line"), Tell(news, view, to));
    text.Close('}');
  }
  text.Close(']');
}

// Of everybody who may be a bot; where it is known who sits where, of the bots that talk.
void PutCharacters(JsonText& text, const Config& config, const Json* seats) {
  text.Key("characters").Open('[');
  for (Seat seat = 0; HasPacts(config) && seat < config.players; ++seat) {
    const bool talks = seats == nullptr || (seat < seats->size() && (*seats)[seat].is_string() &&
                                            Talks((*seats)[seat].get_ref<const std::string&>()));
    if (talks)
      text.Name(NameOf(CharacterOf(config, seat)));
    else
      text.Raw("null");
  }
  text.Close(']');
}

}  // namespace

std::string AnswerTalk(Reader& request) {
  Reader talk = request.Object("talk");
  const Expected<View> view = ViewFromJson(talk.Field("view"));
  if (!talk.ok()) return Refusal(MessageOf(*talk.error));
  if (!view) return Refusal(MessageOf(view.error()));
  const Expected<Diplomacy> pacts = DiplomacyFromJson(talk.Field("pacts"), view->config);
  if (!talk.ok()) return Refusal(MessageOf(*talk.error));
  if (!pacts) return Refusal(MessageOf(pacts.error()));
  const Json* seats = talk.Has("seats") ? &talk.Array("seats") : nullptr;
  const std::vector<std::string> then = ThenIn(talk);
  if (!talk.ok()) return Refusal(MessageOf(*talk.error));
  Diplomacy foreseen = *pacts;
  const Expected<Preview> ahead = LookAhead(*view, then, &foreseen);
  if (!ahead) return Refusal(MessageOf(ahead.error()));
  if (!ahead->view) return R"({"ok":true,"reveals":true})";
  const Listener to = {.seat = view->viewer, .you = view->viewer != kSpectator};
  JsonText text;
  text.Open('{').Key("ok").Raw("true");
  PutOffers(text, foreseen, *ahead->view, to);
  PutPacts(text, foreseen, *ahead->view, to);
  PutBroken(text, foreseen, *ahead->view, to);
  PutPossible(text, foreseen, *ahead->view, to);
  PutNews(text, *pacts, *view, to);  // what was told; what is foreseen has not happened yet
  PutCharacters(text, view->config, seats);
  return text.Close('}').text();
}

}  // namespace civ
