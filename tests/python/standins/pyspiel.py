"""As much of OpenSpiel's documented contract for games in Python as civ.openspiel uses."""

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
        self.short_name, self.parameters = short_name, parameter_specification


class GameInfo:
    def __init__(self, *, num_distinct_actions, max_chance_outcomes, num_players, min_utility, max_utility, utility_sum, max_game_length):
        self.num_players = num_players


class Game:
    def __init__(self, game_type, game_info, params):
        self.type, self.info = game_type, game_info


class State:
    def __init__(self, game):
        self.game, self.actions = game, []

    # What OpenSpiel calls goes through these.
    def legal_actions(self):
        if self.current_player() == PlayerId.CHANCE:
            return [action for action, _ in self.chance_outcomes()]
        return self._legal_actions(self.current_player())

    def apply_action(self, action):
        self._apply_action(action)
        self.actions.append(action)


def register_game(game_type, maker):
    games[game_type.short_name] = game_type, maker


def load_game(name, params=None):
    game_type, maker = games[name]
    assert set(params or {}) <= set(game_type.parameters)
    return maker(params or {})
