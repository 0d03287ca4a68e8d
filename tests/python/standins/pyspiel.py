"""As much of OpenSpiel's documented contract for games in Python as civ.openspiel uses, and what it asks for asserted."""

import copy
import enum

games = {}


class PlayerId(enum.IntEnum):
    CHANCE = -1
    TERMINAL = -4


class GameType:
    Dynamics = enum.Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
    ChanceMode = enum.Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC SAMPLED_STOCHASTIC")
    Information = enum.Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION ONE_SHOT")
    Utility = enum.Enum("Utility", "ZERO_SUM CONSTANT_SUM GENERAL_SUM IDENTICAL")
    RewardModel = enum.Enum("RewardModel", "REWARDS TERMINAL")

    def __init__(self, *, short_name, long_name, dynamics, chance_mode, information, utility, reward_model, max_num_players, min_num_players,
                 provides_information_state_string, provides_information_state_tensor, provides_observation_string, provides_observation_tensor,
                 provides_factored_observation_string, parameter_specification):
        for value, kind in ((dynamics, self.Dynamics), (chance_mode, self.ChanceMode), (information, self.Information), (utility, self.Utility),
                            (reward_model, self.RewardModel)):
            assert isinstance(value, kind)
        self.short_name, self.parameters, self.players = short_name, parameter_specification, (min_num_players, max_num_players)


class GameInfo:
    def __init__(self, *, num_distinct_actions, max_chance_outcomes, num_players, min_utility, max_utility, utility_sum, max_game_length):
        assert min_utility < max_utility
        self.__dict__.update(locals())


class IIGObservationType:
    def __init__(self, perfect_recall=False, public_info=True, private_info=None):
        self.perfect_recall = perfect_recall


class Game:
    def __init__(self, game_type, game_info, params):
        assert isinstance(params, dict) and game_type.players[0] <= game_info.num_players <= game_type.players[1]
        self.type, self.info = game_type, game_info


class State:
    """What OpenSpiel calls goes through these; what they call, an heir has."""

    def __init__(self, game):
        self.game, self.actions = game, []

    def legal_actions(self, player=None):
        if self.is_terminal():
            return []
        if self.current_player() == PlayerId.CHANCE:
            outcomes = self.chance_outcomes()
            assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-9 and all(chance > 0 for _, chance in outcomes)
            legal, most = [action for action, _ in outcomes], self.game.info.max_chance_outcomes
        else:
            legal, most = self._legal_actions(self.current_player() if player is None else player), self.game.info.num_distinct_actions
        assert legal == sorted(set(legal)) and all(type(action) is int and 0 <= action < most for action in legal)
        return legal

    def apply_action(self, action):
        assert not self.is_terminal() and action in self.legal_actions()
        assert isinstance(self._action_to_string(self.current_player(), action), str)
        assert self._apply_action(action) is None
        self.actions.append(action)
        returns = self.returns()
        assert len(returns) == self.game.info.num_players and abs(sum(returns) - self.game.info.utility_sum) < 1e-6
        assert all(self.game.info.min_utility <= value <= self.game.info.max_utility for value in returns)
        assert (self.current_player() == PlayerId.TERMINAL) == self.is_terminal() and len(self.actions) <= self.game.info.max_game_length

    def clone(self):
        other = self.game.new_initial_state()
        for name, value in self.__dict__.items():
            other.__dict__[name] = value if name == "game" else copy.deepcopy(value)
        return other

    def information_state_string(self, player=None):
        return self._told(IIGObservationType(perfect_recall=True), player)

    def observation_string(self, player=None):
        return self._told(IIGObservationType(), player)

    def _told(self, wanted, player):
        return self.game.make_py_observer(wanted).string_from(self, self.current_player() if player is None else player)


def register_game(game_type, maker):
    games[game_type.short_name] = game_type, maker


def load_game(name, params=None):
    game_type, maker = games[name]
    assert set(params or {}) <= set(game_type.parameters)
    assert all(type(value) is type(game_type.parameters[key]) for key, value in (params or {}).items())
    return maker(params or {})
