//! Players: every spec gives legal moves, searching ones win and block, and matches are
//! reproducible.

use fourfold::budget::Budget;
use fourfold::game::{Move, Position, Rules};
use fourfold::play::{Choice, Match, Player, PlayerError, PlayerSpec, Winner, run_match};
use fourfold::random::Random;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const RULES: [&str; 12] = [
    "7x6c4", "7x6s2", "3x3c3f", "4x2c2", "7x6c2", "4x4c4", "5x4c3", "6x5s2", "5x5c4f", "4x4s2f",
    "9x7c5", "10x10c4",
];

/// Positions that are not over, from random games.
fn positions(rules: Rules, count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::new(rules);
        let plies = random.below(rules.cells() as usize);
        for _ in 0..plies {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            position = position.play(mv).unwrap();
        }
        if !position.outcome().is_over() {
            found.push(position);
        }
    }
    found
}

fn choose(spec: &PlayerSpec, position: &Position, seed: u64) -> Move {
    let mut player = spec.player(position.rules(), seed, &Budget::unlimited()).unwrap();
    player.choose(position).unwrap_or_else(|why| panic!("{spec} on {position}: {why}")).mv
}

const LEGAL: [&str; 14] = [
    "random",
    "naive",
    "minimax:depth=2",
    "alphabeta:depth=3,order=centre,contempt=50",
    "alphabeta:depth=1",
    "easy:depth=2",
    "utility:depth=3,weights=1/2/3/4",
    "lookahead:2",
    "lookahead:3,random=0.5",
    "alphabeta:depth=4,table=1,symmetry,killers,history,deepening,cached_ends,forward=2",
    "alphabeta:nodes=1",
    "alphabeta:nodes=200,tie=centre",
    "script:1221",
    "minimax:2,random=1",
];

#[test]
fn no_player_ever_makes_an_illegal_move() {
    let mut random = Random::new(11);
    for rules in RULES.map(|text| text.parse::<Rules>().unwrap()) {
        for spec in LEGAL.map(|text| text.parse::<PlayerSpec>().unwrap()) {
            for position in positions(rules, 30, &mut random) {
                let mv = choose(&spec, &position, random.next_u64());
                assert!(position.legal_moves().contains(&mv), "{spec} plays {mv:?} on\n{position}");
            }
        }
    }
}

const SEARCHING: [&str; 9] = [
    "minimax:depth=2",
    "minimax:depth=3,tie=random",
    "alphabeta:depth=2,tie=centre",
    "alphabeta:depth=4,mid_col,early_win",
    "easy:depth=2",
    "utility:depth=2",
    "lookahead:2",
    "lookahead:3",
    "alphabeta:depth=3,forward=1,killers,table=1",
];

/// With depth 2 or more: a win is taken, and if the opponent threatens in one place only, it is
/// blocked.
#[test]
fn searching_players_win_and_block() {
    let mut random = Random::new(12);
    let (mut wins, mut blocks) = (0, 0);
    for rules in RULES.map(|text| text.parse::<Rules>().unwrap()) {
        for position in positions(rules, 400, &mut random) {
            let (winning, threatened) = (position.winning_moves(), position.threatened_moves());
            if winning.is_empty() && threatened.is_empty() {
                continue;
            }
            let spec: PlayerSpec = SEARCHING[random.below(SEARCHING.len())].parse().unwrap();
            let mv = choose(&spec, &position, random.next_u64());
            if !winning.is_empty() {
                wins += 1;
                assert!(
                    winning.contains(&mv),
                    "{spec} does not win at once but plays {mv:?} in {rules}\n{position}"
                );
            } else if threatened.len() == 1 && saves(&position, threatened[0]) {
                blocks += 1;
                assert_eq!(mv, threatened[0], "{spec} does not block in {rules}\n{position}");
            }
        }
    }
    assert!(wins > 1000 && blocks > 300, "{wins} wins and {blocks} blocks tried");
}

/// Blocking is possible only if it does not hand over another win at once.
fn saves(position: &Position, block: Move) -> bool {
    position.play(block).unwrap().winning_moves().is_empty()
}

#[test]
fn naive_wins_then_blocks() {
    let spec: PlayerSpec = "naive".parse().unwrap();
    let mut random = Random::new(13);
    for position in positions(Rules::CONNECT_FOUR, 3000, &mut random) {
        let mv = choose(&spec, &position, random.next_u64());
        let (winning, threatened) = (position.winning_moves(), position.threatened_moves());
        if !winning.is_empty() {
            assert!(winning.contains(&mv));
        } else if !threatened.is_empty() {
            assert!(threatened.contains(&mv));
        }
    }
}

#[test]
fn the_share_of_random_moves_is_kept() {
    // The only winning move, unless it moves at random.
    let position = Position::new(Rules::CONNECT_FOUR);
    let position =
        [0, 6, 0, 6, 0, 5].iter().fold(position, |p, &c| p.play(p.drop_in(c).unwrap()).unwrap());
    let spec: PlayerSpec = "lookahead:2,random=0.35,careless".parse().unwrap();
    let others = (0..2000)
        .filter(|&seed| choose(&spec, &position, seed).cell(position.rules()).column != 0)
        .count();
    // A random move is the winning one in a seventh of cases.
    let share = others as f64 / 2000.0 * 7.0 / 6.0;
    assert!((0.31..0.39).contains(&share), "{share}");
}

#[test]
fn scripts_play_their_list_and_then_naively() {
    for (game, script, moves) in [
        ("7x6c4", "script:123", "123"),
        ("12x5c4", "script:10,11,12", "10,11,12"),
        ("3x3c3f", "script:a1b3", "a1 b3"),
    ] {
        let rules: Rules = game.parse().unwrap();
        let spec: PlayerSpec = script.parse().unwrap();
        assert_eq!(spec.to_string(), script);
        let mut player = spec.player(&rules, 5, &Budget::unlimited()).unwrap();
        let mut position = Position::new(rules);
        for expected in moves
            .split(|c: char| c == ',' || c == ' ' || game == "7x6c4")
            .filter(|word| !word.is_empty())
        {
            let mv = player.choose(&position).unwrap().mv;
            assert_eq!(mv.label(&rules), expected);
            position = position.play(mv).unwrap();
            let reply = *position.legal_moves().last().unwrap();
            position = position.play(reply).unwrap();
        }
        assert!(position.legal_moves().contains(&player.choose(&position).unwrap().mv));
    }
}

#[test]
fn a_script_keeps_to_the_board() {
    for (game, script, word) in [
        ("7x6c4", "script:49", "9"),
        ("7x6c4", "script:4,10", "10"),
        ("3x3c3f", "script:a1d4", "d4"),
    ] {
        let spec: PlayerSpec = script.parse().unwrap();
        let why = spec.player(&game.parse().unwrap(), 1, &Budget::unlimited()).err().expect(script);
        assert!(
            matches!(&why, PlayerError::OffBoard { word: found, .. } if found == word),
            "{why}"
        );
    }
    let wide: PlayerSpec = "script:9".parse().unwrap();
    assert!(wide.player(&"9x6c4".parse().unwrap(), 1, &Budget::unlimited()).is_ok());
}

#[test]
fn specs_are_read_and_written() {
    for (text, written) in [
        ("random", "random"),
        ("naive:random=0.25", "naive:random=0.25"),
        ("human", "human"),
        ("lookahead:3", "lookahead:depth=3"),
        ("easy", "easy:depth=5"),
        ("LookAhead:3", "lookahead:depth=3"),
        ("NAIVE", "naive"),
        ("minimax:depth=5,eval=windows", "minimax:depth=5,eval=windows"),
        ("alphabeta:9,order=centre,contempt=50", "alphabeta:depth=9,mid_col=on,contempt=50"),
        ("utility:depth=7,weights=1/5/25/100", "utility:depth=7"),
        ("utility:weights=2/5/25/100", "utility:depth=5,eval=windows:2/5/25/100"),
        ("alphabeta:time=100", "alphabeta:depth=128,time=100,deepening=on"),
        ("perfect", "perfect"),
        ("perfect:memory=4,tie=centre", "perfect"),
        (
            "perfect:random=0.5,tie=random,time=500,nodes=1000,memory=64",
            "perfect:memory=64,nodes=1000,time=500,tie=random,random=0.5",
        ),
        ("lookahead:2,mid_col=off,random=1", "lookahead:depth=2,mid_col=off,random=1"),
        ("external: ./engine --player a:b=1,c", "external:./engine --player a:b=1,c"),
        (
            "external:random=0.1,time=50,start=9000,depth=3,wait=70,nodes=9,sh -c 'x, y'",
            "external:depth=3,nodes=9,time=50,wait=70,start=9000,random=0.1,sh -c 'x, y'",
        ),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), written, "{text}");
        assert_eq!(written.parse::<PlayerSpec>().unwrap(), spec, "{written}");
    }
    for (text, message) in [
        (
            "",
            "there is no player \"\"; there are random, naive, minimax, alphabeta, easy, utility, lookahead, level, character, perfect, script, human, external",
        ),
        ("lookahed:3", "there is no player \"lookahed\"; did you mean lookahead?"),
        ("random:3", "random takes no argument \"3\"; it takes none but random=SHARE"),
        ("naive:random=2", "random=2 makes no sense: it is the share of random moves, from 0 to 1"),
        (
            "minimax:depth=0",
            "depth=0 makes no sense: it is the number of plies to look ahead, from 1 to 128",
        ),
        ("perfect:memory=0", "memory=0 makes no sense: it is a number of MiB from 1 to 65536"),
        (
            "perfect:time=soon",
            "time=soon makes no sense: it is a number of milliseconds, at least 1",
        ),
        ("perfect:nodes", "nodes= makes no sense: it is a number of positions, at least 1"),
        ("perfect:node=3", "perfect takes no argument \"node\"; did you mean nodes?"),
        (
            "perfect:5",
            "perfect takes no argument \"5\"; it takes memory, nodes, time, tie, book, tricky, random, careless",
        ),
        ("minimax:dept=3", "minimax takes no argument \"dept\"; did you mean depth?"),
        ("minimax:table=big", "table cannot be \"big\": it is a number of MiB from 0 to 65536"),
        (
            "minimax:eval=window",
            "there is no evaluator \"window\"; there are terminal, windows, square, square-literal, open-lines",
        ),
        ("alphabeta:depth=3,depth=4", "depth is given twice"),
        ("lookahead:3,depth=4", "depth is given twice"),
        ("naive:random=0.1,random=0.2", "random is given twice"),
        ("perfect:nodes=5,nodes=6", "nodes is given twice"),
        ("external:time=5,time=6,./engine", "time is given twice"),
        ("external:", "external: cannot be started: write the program to start after the colon"),
        ("external:\"x", "external:\"x cannot be started: a quotation mark is not closed"),
        ("external:tim=5,x", "external takes no argument \"tim\"; did you mean time?"),
        ("external:wait=x,y", "wait=x makes no sense: it is a number of milliseconds, at least 1"),
        (
            "easy:weights=1/2/3/4",
            "weights=1/2/3/4 makes no sense: only the evaluator windows has weights",
        ),
    ] {
        assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), message, "{text}");
    }
}

/// A player that moves twice, then does something that it should not.
struct Faulty(u32);

impl Player for Faulty {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        self.0 += 1;
        if self.0 > 2 {
            return Err(PlayerError::Forfeit { reason: "it fell asleep".to_owned() });
        }
        Ok(Choice::unthinking(position.legal_moves()[0]))
    }
}

#[test]
fn programs_are_started_by_a_host_only_and_forfeits_are_losses() {
    let rules = Rules::CONNECT_FOUR;
    let spec: PlayerSpec = "external:ls".parse().unwrap();
    let refused =
        spec.player(&rules, 1, &Budget::unlimited()).err().expect("there is no host").to_string();
    assert_eq!(
        refused,
        "external players sit at the command line only: no program is started here"
    );
    let hosted = spec.hosted_by(|spec, _, _, _| {
        assert_eq!(spec.words(), ["ls"]);
        Ok(Box::new(Faulty(0)))
    });
    let contest = Match::new(rules, [hosted, "script:77".parse().unwrap()]).with_games(2);
    let mut records = Vec::new();
    let result =
        run_match(&contest, &Budget::unlimited(), |_, record| records.push(record.clone()))
            .unwrap();
    assert_eq!(
        (result.seats[0].forfeits, result.seats[1].forfeits, result.seats[1].wins),
        (2, 0, 2)
    );
    assert_eq!(records[0].result, Some(Winner::Second));
    assert_eq!(records[1].result, Some(Winner::First));
    for record in records {
        assert_eq!(record.forfeit.as_deref(), Some("it fell asleep"));
        #[cfg(feature = "json")]
        assert_eq!(record.to_line().parse::<fourfold::play::Record>().unwrap(), record);
    }
}

fn contest(players: [&str; 2], threads: usize) -> Match {
    Match::new(Rules::CONNECT_FOUR, players.map(|spec| spec.parse().unwrap()))
        .with_games(60)
        .with_seed(99)
        .with_threads(threads)
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let play = |threads| {
        let mut games = Vec::new();
        let stop = Arc::new(AtomicBool::new(false));
        let result = run_match(
            &contest(["lookahead:3,random=0.2", "easy:3"], threads),
            &Budget::unlimited().with_stop(Arc::clone(&stop)),
            |index, record| {
                assert_eq!(index, games.len() as u64, "in order");
                games.push((
                    record.first.clone(),
                    record.seed,
                    record.moves.clone(),
                    record.result,
                ));
            },
        )
        .unwrap();
        assert_eq!(result.games, 60);
        (
            games,
            result.seats.map(|seat| (seat.wins, seat.moves, seat.nodes, seat.games_as_first)),
            result.draws,
        )
    };
    let one = play(1);
    assert_eq!(one, play(2));
    assert_eq!(one, play(5));
    let [a, b] = one.1;
    assert_eq!((a.3, b.3), (30, 30), "they take turns to begin");
    assert_eq!(a.0 + b.0 + one.2, 60);
    let different: std::collections::HashSet<_> = one.0.iter().map(|game| &game.2).collect();
    assert!(different.len() > 50, "games differ");
}

#[test]
fn openings_are_played_for_the_players_and_counted_as_nobodys() {
    let start = Position::new(Rules::CONNECT_FOUR);
    let opening = vec![start.drop_in(0).unwrap()];
    let contest = contest(["naive", "lookahead:2"], 1).with_opening(opening.clone()).with_games(10);
    let (mut moves, mut first_games) = (0, Vec::new());
    let result = run_match(&contest, &Budget::unlimited(), |_, record| {
        assert_eq!(record.moves[0], opening[0]);
        assert_eq!(record.nodes.as_ref().unwrap().len(), record.moves.len());
        moves += record.moves.len() as u64;
        first_games.push(record.clone());
    })
    .unwrap();
    assert_eq!(result.moves, moves);
    assert_eq!(result.seats[0].moves + result.seats[1].moves, moves - 10);
    let again = contest.game(7, &Budget::unlimited()).unwrap();
    assert_eq!((again.moves, again.seed), (first_games[7].moves.clone(), first_games[7].seed));
    let illegal = contest.with_opening(vec![opening[0]; 2]);
    assert!(run_match(&illegal, &Budget::unlimited(), |_, _| {}).is_err());
}

#[test]
fn a_stopped_match_keeps_what_is_finished() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut given = 0;
    let contest = contest(["naive", "naive"], 2).with_games(1_000_000);
    let result = run_match(&contest, &Budget::unlimited().with_stop(Arc::clone(&stop)), |_, _| {
        given += 1;
        if given == 10 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    })
    .unwrap();
    assert!(given >= 10 && result.games == given && given < 10_000, "{given} games");
}
