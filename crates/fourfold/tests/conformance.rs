//! One battery, run over every kind of game: the library against the plain game in [`oracle`].
//!
//! The list of rules covers lines and squares, with and without gravity, boards of one column and
//! of one row, and board sizes at and around the widths of the machine words (63, 64 and 65 bits;
//! 126, 127 and 128).

mod oracle;

use fourfold::game::{
    Board, Cell, CellSet, Geometry, Key, Move, Outcome, Position, Rules, Side, Symmetry, Word,
};
use fourfold::random::Random;
use oracle::{Game, Place, Standing};
use std::collections::{BTreeSet, HashMap, HashSet};

const RULES: &[&str] = &[
    // Well known, and small.
    "7x6c4",
    "7x6s2",
    "3x3c3f",
    "4x2c2",
    "4x4c4",
    "5x4c3",
    "6x7c4",
    "3x1c2",
    "2x2c2",
    "5x5s2",
    "3x4s2",
    // Without gravity.
    "5x5c4f",
    "4x4s2f",
    "4x3c3f",
    "1x7c3f",
    "7x1c3f",
    "7x7s3f",
    "15x7c6f",
    "11x10c5f",
    // Long and thin.
    "2x30c3",
    "30x3c3",
    "40x2c7",
    // Large.
    "6x6s3",
    "8x8c5",
    "9x7c4",
    "10x9s3",
    "12x9c5",
    "9x9s4",
    // 63, 64 and 65 bits.
    "9x6c4",
    "7x8c5",
    "8x7c4",
    "16x3c3",
    "4x15c4",
    "32x1c5",
    "1x63c4f",
    "8x7s3f",
    "5x12c4",
    "13x4c4",
    "13x4c4f",
    // 126, 127 and 128 bits.
    "14x8c5",
    "9x13c4",
    "1x126c63f",
    "16x7c4",
    "8x15s2",
    "64x1c2",
    "2x63c4",
    "1x127c64f",
    "16x7s3f",
    "32x3c4",
];

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|why| panic!("{why}"))
}

fn cell((column, row): Place) -> Cell {
    Cell { column: column as u8, row: row as u8 }
}

fn place(cell: Cell) -> Place {
    (usize::from(cell.column), usize::from(cell.row))
}

fn places(cells: CellSet) -> BTreeSet<Place> {
    cells.iter().map(place).collect()
}

fn bits(rules: &Rules, places: impl IntoIterator<Item = Place>) -> u128 {
    places.into_iter().fold(0, |set, at| set | 1 << cell(at).bit(rules))
}

fn move_at(rules: &Rules, at: Place) -> Move {
    Move::at(cell(at), rules)
}

/// A few games of each game: the moves of each, to its end.
///
/// Every other one is played at random. In the rest one side works towards a shape and the other
/// keeps out of it, for where shapes are long nobody would ever win by chance.
fn games(rules: &Rules, seed: u64) -> Vec<Vec<Place>> {
    let count = (1_200 / u64::from(rules.cells())).clamp(6, 60);
    (0..count)
        .map(|index| one_game(rules, &mut Random::for_item(seed, index), index % 2 == 1))
        .collect()
}

fn one_game(rules: &Rules, random: &mut Random, helpful: bool) -> Vec<Place> {
    let mut game = Game::new(*rules);
    let goal = random.pick(game.windows()).expect("rules that can be won have windows").clone();
    let winner = if random.chance(0.5) { Side::First } else { Side::Second };
    let mut played = Vec::new();
    while !game.is_over() {
        let moves = game.moves();
        let mut wanted = moves.clone();
        if helpful {
            wanted.retain(|at| goal.contains(at) == (game.to_move() == winner));
        }
        let at = *random
            .pick(&wanted)
            .or_else(|| random.pick(&moves))
            .expect("an ongoing game has a move");
        game = game.play(at);
        played.push(at);
    }
    played
}

/// Positions of [`games`], those from the start to the end of each.
fn positions(rules: &Rules, seed: u64) -> Vec<Position> {
    let mut all = Vec::new();
    for moves in games(rules, seed) {
        let mut position = Position::new(*rules);
        all.push(position);
        for at in moves {
            position = position.play(move_at(rules, at)).expect("a legal move");
            all.push(position);
        }
    }
    all
}

/// Every position that play can reach, the finished ones included.
fn all_positions(rules: &Rules) -> HashSet<Position> {
    let start = Position::new(*rules);
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(position) = open.pop() {
        for mv in position.legal_moves() {
            let next = position.play_unchecked(mv);
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Everything that can be asked of a position, against the plain game.
fn compare(position: &Position, game: &Game) {
    let rules = &game.rules;
    assert_eq!(&Game::of(position), game);
    assert_eq!(position.rules(), rules);
    assert_eq!(position.ply(), game.ply());
    assert_eq!(position.empty(), rules.cells() - game.ply());
    assert_eq!(position.to_move(), game.to_move());
    for side in [Side::First, Side::Second] {
        assert_eq!(position.discs(side).len(), game.discs(side) as usize);
    }
    let standing = match position.outcome() {
        Outcome::Ongoing => Standing::Ongoing,
        Outcome::Drawn => Standing::Drawn,
        Outcome::Won { by, cells } => Standing::Won(by, places(cells)),
    };
    assert_eq!(standing, game.standing(), "{rules}\n{position}");
    assert_eq!(position.outcome().is_over(), game.is_over());

    let listed =
        |moves: Vec<Move>| moves.iter().map(|mv| place(mv.cell(rules))).collect::<Vec<_>>();
    let side = game.to_move();
    assert_eq!(listed(position.legal_moves()), game.moves(), "{rules}\n{position}");
    assert_eq!(
        listed(position.winning_moves()),
        game.moves_completing(side),
        "{rules}\n{position}"
    );
    assert_eq!(
        position.wins_at_once(),
        !game.moves_completing(side).is_empty(),
        "{rules}\n{position}"
    );
    assert_eq!(
        listed(position.threatened_moves()),
        game.moves_completing(side.other()),
        "{rules}\n{position}"
    );
}

/// Exactly the legal moves are accepted, by cell and by column.
fn compare_refusals(position: &Position, game: &Game) {
    let moves = game.moves();
    for at in oracle::places(&game.rules) {
        assert_eq!(position.place(cell(at)).is_ok(), moves.contains(&at), "{position}\n{at:?}");
        assert_eq!(
            position.play(move_at(&game.rules, at)).is_ok(),
            moves.contains(&at),
            "{position}\n{at:?}"
        );
    }
    for column in 0..game.rules.width() as usize {
        let lands = moves.iter().copied().find(|at| at.0 == column && game.rules.gravity());
        let dropped = position.drop_in(column as u32).ok().map(|mv| place(mv.cell(&game.rules)));
        assert_eq!(dropped, lands, "{position}\ncolumn {column}");
    }
}

#[test]
fn the_battery_covers_every_kind_of_game() {
    let all: Vec<Rules> = RULES.iter().map(|text| rules(text)).collect();
    assert!(all.len() >= 25 && all.iter().collect::<HashSet<_>>().len() == all.len());
    for (gravity, square) in [(true, true), (true, false), (false, true), (false, false)] {
        for wide in [true, false] {
            let kind = |rules: &&Rules| {
                let squares = matches!(rules.shape(), fourfold::game::Shape::Square(_));
                (rules.gravity(), squares, rules.bits() > 64) == (gravity, square, wide)
            };
            assert!(
                all.iter().any(|rules| kind(&rules)),
                "gravity {gravity}, square {square}, u128 {wide}"
            );
        }
    }
    for bits in [63, 64, 65, 126, 127, 128] {
        assert!(all.iter().any(|rules| rules.bits() == bits), "no game of {bits} bits");
    }
}

#[test]
fn positions_agree_with_the_plain_game() {
    for text in RULES {
        let rules = rules(text);
        let (mut wins, mut last) = (0, None);
        for moves in games(&rules, 1) {
            let (mut position, mut game) = (Position::new(rules), Game::new(rules));
            compare(&position, &game);
            for (ply, at) in moves.into_iter().enumerate() {
                if ply % 5 == 0 {
                    compare_refusals(&position, &game);
                }
                position = position.play(move_at(&rules, at)).expect("a legal move");
                game = game.play(at);
                compare(&position, &game);
            }
            compare_refusals(&position, &game);
            wins += u32::from(matches!(position.outcome(), Outcome::Won { .. }));
            last = Some(position);
        }
        assert!(wins > 0, "nobody ever won {text}; the last game was\n{}", last.expect("a game"));
    }
}

#[test]
fn undo_leads_back_to_the_start() {
    for text in RULES {
        let rules = rules(text);
        for moves in games(&rules, 2) {
            let mut line = vec![Position::new(rules)];
            for &at in &moves {
                line.push(line[line.len() - 1].play(move_at(&rules, at)).expect("a legal move"));
            }
            let all: Vec<Move> = moves.iter().map(|&at| move_at(&rules, at)).collect();
            assert_eq!(Position::from_moves(rules, &all).as_ref(), Ok(&line[line.len() - 1]));
            for (ply, &at) in moves.iter().enumerate().rev() {
                assert_eq!(
                    line[ply + 1].undo(move_at(&rules, at)).as_ref(),
                    Ok(&line[ply]),
                    "{text}"
                );
            }
        }
    }
}

/// A disc can be taken back if it is one of the last mover's, nothing lies on it, and the game was
/// not over before.
#[test]
fn undo_takes_back_what_could_have_been_last_and_nothing_else() {
    for text in ["7x6c4", "7x6s2", "3x3c3f", "5x4c3", "12x9c5", "4x4s2f"] {
        let rules = rules(text);
        for position in positions(&rules, 3) {
            let game = Game::of(&position);
            for at in oracle::places(&rules) {
                let before = game.with(at, None);
                let could_be_last = game.cells[at.0][at.1] == Some(game.to_move().other())
                    && game.is_on_top(at)
                    && !before.is_over();
                let undone = position.undo(move_at(&rules, at));
                assert_eq!(undone.is_ok(), could_be_last, "{text}, {at:?}\n{position}");
                if let Ok(undone) = undone {
                    assert_eq!(Game::of(&undone), before);
                }
            }
        }
    }
}

#[test]
fn from_discs_gives_back_every_position_reached_by_play() {
    for text in RULES {
        let rules = rules(text);
        for position in positions(&rules, 4) {
            let [first, second] =
                [Side::First, Side::Second].map(|side| position.discs(side).bits());
            assert_eq!(
                Position::from_discs(rules, first, second).as_ref(),
                Ok(&position),
                "{text}"
            );
        }
    }
}

#[test]
fn keys_tell_positions_apart() {
    let check = |all: &mut dyn Iterator<Item = Position>| {
        let (mut by_key, mut texts) = (HashMap::<Key, Position>::new(), HashSet::new());
        for position in all {
            let twin = by_key.insert(position.key(), position);
            assert!(
                twin.is_none_or(|twin| twin == position),
                "one key for\n{position}\nand another"
            );
            if twin.is_none() {
                assert!(
                    texts.insert(position.key().to_string()),
                    "one key text for two: {}",
                    position.key()
                );
            }
        }
        by_key.len()
    };
    for text in RULES {
        check(&mut positions(&rules(text), 5).into_iter());
    }
    // Whole games, so that no collision can hide. 5478 is the known number of tic-tac-toe
    // positions, 161029 that of Connect Four on 4x4.
    for (text, count) in [("3x3c3f", 5_478), ("4x4c4", 161_029)] {
        assert_eq!(check(&mut all_positions(&rules(text)).into_iter()), count, "{text}");
    }
    for text in ["3x1c2", "2x2c2", "4x2c2", "4x3c3", "3x4s2", "4x3c3f", "3x3s2f"] {
        check(&mut all_positions(&rules(text)).into_iter());
    }
}

#[test]
fn the_symmetries_are_a_group_that_keeps_the_game() {
    for text in RULES {
        let rules = rules(text);
        let group = Symmetry::of(&rules);
        let expected = match (rules.gravity(), rules.width() == rules.height()) {
            (true, _) => 2,
            (false, false) => 4,
            (false, true) => 8,
        };
        assert_eq!(group.len(), expected, "{text}");
        assert_eq!(group[0], Symmetry::IDENTITY);
        assert!(group.contains(&Symmetry::MIRROR));
        let names: HashSet<String> = group.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), group.len(), "two symmetries of one name");

        let cells = oracle::places(&rules);
        let image = |symmetry: &Symmetry, at: Place| place(symmetry.apply(cell(at), &rules));
        let motion =
            |symmetry: &Symmetry| cells.iter().map(|&at| image(symmetry, at)).collect::<Vec<_>>();
        let motions: HashSet<Vec<Place>> = group.iter().map(motion).collect();
        assert_eq!(motion(&Symmetry::IDENTITY), cells);
        let width = rules.width() as usize;
        assert!(cells.iter().all(|&(c, r)| image(&Symmetry::MIRROR, (c, r)) == (width - 1 - c, r)));
        let whole: BTreeSet<Place> = cells.iter().copied().collect();
        let windows: HashSet<BTreeSet<Place>> = oracle::windows(&rules)
            .into_iter()
            .map(|window| window.into_iter().collect())
            .collect();
        for a in group {
            assert_eq!(
                motion(a).into_iter().collect::<BTreeSet<_>>(),
                whole,
                "{text}: {a} loses cells"
            );
            for b in group {
                let both: Vec<Place> = cells.iter().map(|&at| image(b, image(a, at))).collect();
                assert!(motions.contains(&both), "{text}: {a}, then {b} is no symmetry");
            }
            for window in &windows {
                let moved: BTreeSet<Place> = window.iter().map(|&at| image(a, at)).collect();
                assert!(windows.contains(&moved), "{text}: {a} takes a window to none");
            }
        }
    }
}

#[test]
fn symmetries_commute_with_play_and_outcome() {
    for text in RULES {
        let rules = rules(text);
        for position in positions(&rules, 6).into_iter().step_by(3) {
            for &symmetry in Symmetry::of(&rules) {
                let image = position.transform(symmetry);
                let send = |cell: Cell| symmetry.apply(cell, &rules);
                match (position.outcome(), image.outcome()) {
                    (
                        Outcome::Won { by, cells },
                        Outcome::Won { by: image_by, cells: image_cells },
                    ) => {
                        assert_eq!(by, image_by);
                        let sent: BTreeSet<Place> =
                            cells.iter().map(|at| place(send(at))).collect();
                        assert_eq!(sent, places(image_cells));
                    }
                    (here, there) => assert_eq!(here, there),
                }
                assert_eq!(image.legal_moves().len(), position.legal_moves().len());
                for mv in position.legal_moves() {
                    let moved = Move::at(send(mv.cell(&rules)), &rules);
                    let played = image.play(moved).expect("the image of a legal move is legal");
                    assert_eq!(
                        played,
                        position.play_unchecked(mv).transform(symmetry),
                        "{text}, {symmetry}"
                    );
                }
            }
            assert_eq!(position.mirror().mirror(), position);
        }
    }
}

#[test]
fn one_position_stands_for_all_its_images() {
    for text in RULES {
        let rules = rules(text);
        for position in positions(&rules, 7) {
            let canonical = position.canonical();
            assert_eq!(canonical.canonical(), canonical, "{text}");
            let images: Vec<Position> =
                Symmetry::of(&rules).iter().map(|&symmetry| position.transform(symmetry)).collect();
            assert!(images.contains(&canonical), "{text}: the canonical position is no image");
            assert!(
                images.iter().all(|image| image.canonical() == canonical),
                "{text}\n{position}"
            );
        }
    }
    // And for no others: as many canonical positions as sets of images.
    for text in ["3x3c3f", "4x3c3f", "4x3c3", "4x2c2"] {
        let rules = rules(text);
        let all = all_positions(&rules);
        let orbits: HashSet<Vec<String>> = all
            .iter()
            .map(|position| {
                let mut orbit: Vec<String> = Symmetry::of(&rules)
                    .iter()
                    .map(|&s| position.transform(s).to_string())
                    .collect();
                orbit.sort();
                orbit
            })
            .collect();
        let canonical: HashSet<Position> = all.iter().map(Position::canonical).collect();
        assert_eq!(canonical.len(), orbits.len(), "{text}");
    }
    // Tic-tac-toe has 765 positions up to symmetry, as is well known.
    let canonical: HashSet<Position> =
        all_positions(&Rules::TIC_TAC_TOE).iter().map(Position::canonical).collect();
    assert_eq!(canonical.len(), 765);
}

/// Packed boards come back, in the given word.
fn check_packing<W: Word>(position: &Position, seen: &mut HashMap<u128, Position>) {
    let geometry = Geometry::<W>::new(position.rules());
    let board = Board::<W>::of(position);
    let packed = board.pack(&geometry);
    assert_eq!(Board::unpack(packed, &geometry), board, "{}\n{position}", position.rules());
    assert!(
        seen.insert(packed.widen(), *position).is_none_or(|twin| twin == *position),
        "{position}"
    );
}

#[test]
fn packing_loses_nothing() {
    for text in RULES.iter().filter(|text| rules(text).gravity()) {
        let rules = rules(text);
        let (mut narrow, mut wide) = (HashMap::new(), HashMap::new());
        for position in positions(&rules, 8) {
            check_packing::<u128>(&position, &mut wide);
            if rules.bits() <= 64 {
                check_packing::<u64>(&position, &mut narrow);
            }
        }
    }
}

/// A board in a word of bits, against the position it was made of.
fn check_board<W: Word>(position: &Position) {
    let geometry = Geometry::<W>::new(position.rules());
    let board = Board::<W>::of(position);
    let side = position.to_move();
    let set = |moves: Vec<Move>| moves.iter().fold(0u128, |set, mv| set | 1 << mv.bit());
    assert_eq!(board.own.widen(), position.discs(side).bits());
    assert_eq!(board.opponent().widen(), position.discs(side.other()).bits());
    assert_eq!(board.is_won(&geometry), matches!(position.outcome(), Outcome::Won { .. }));
    if !position.outcome().is_over() {
        assert_eq!(geometry.playable(board.all).widen(), set(position.legal_moves()));
        assert_eq!(board.winning_moves(&geometry).widen(), set(position.winning_moves()));
        for mv in position.legal_moves() {
            let bit = W::ONE << mv.bit();
            assert_eq!(board.play(bit), Board::of(&position.play_unchecked(mv)));
        }
    }
}

#[test]
fn boards_follow_positions() {
    for text in RULES {
        let rules = rules(text);
        for position in positions(&rules, 9) {
            check_board::<u128>(&position);
            if rules.bits() <= 64 {
                check_board::<u64>(&position);
            }
        }
    }
}

/// Random sets of cells, whether or not play could lead to them, from nearly empty to nearly full.
fn cell_sets(rules: &Rules, seed: u64, count: u64) -> Vec<BTreeSet<Place>> {
    let cells = oracle::places(rules);
    (0..count)
        .map(|index| {
            let mut random = Random::for_item(seed, index);
            let share = (index % 9 + 1) as f64 / 10.0;
            cells.iter().copied().filter(|_| random.chance(share)).collect()
        })
        .chain([BTreeSet::new(), cells.iter().copied().collect()])
        .collect()
}

/// What a set of one side's discs holds and lacks, in a word of bits, against loops over the
/// windows.
fn check_geometry<W: Word>(rules: &Rules, windows: &[Vec<Place>], discs: &BTreeSet<Place>) {
    let geometry = Geometry::<W>::new(rules);
    let word = W::truncate(bits(rules, discs.iter().copied()));
    let (mut won, mut completing) = (BTreeSet::new(), BTreeSet::new());
    for window in windows {
        let missing: Vec<Place> = window.iter().copied().filter(|at| !discs.contains(at)).collect();
        if missing.is_empty() {
            won.extend(window.iter().copied());
        }
        completing
            .extend(window.iter().copied().filter(|at| missing.iter().all(|other| other == at)));
    }
    assert_eq!(geometry.has_won(word), !won.is_empty(), "{rules}: {discs:?}");
    assert_eq!(geometry.winning_cells(word).widen(), bits(rules, won), "{rules}: {discs:?}");
    assert_eq!(geometry.completing(word).widen(), bits(rules, completing), "{rules}: {discs:?}");
    let width = rules.width() as usize;
    let mirrored = discs.iter().map(|&(column, row)| (width - 1 - column, row));
    assert_eq!(geometry.mirror(word).widen(), bits(rules, mirrored), "{rules}: {discs:?}");
    // Under gravity only stacks are boards: push the discs down.
    let stacks: Vec<usize> =
        (0..width).map(|column| discs.iter().filter(|at| at.0 == column).count()).collect();
    let lies = |at: &Place| if rules.gravity() { at.1 < stacks[at.0] } else { discs.contains(at) };
    let open = |at: &Place| if rules.gravity() { at.1 == stacks[at.0] } else { !lies(at) };
    let all = W::truncate(bits(rules, oracle::places(rules).into_iter().filter(lies)));
    let playable = bits(rules, oracle::places(rules).into_iter().filter(open));
    assert_eq!(geometry.playable(all).widen(), playable, "{rules}: {discs:?}");
}

#[test]
fn geometry_agrees_with_loops_in_both_words() {
    for text in RULES {
        let rules = rules(text);
        let windows = oracle::windows(&rules);
        for discs in cell_sets(&rules, 10, 300) {
            check_geometry::<u128>(&rules, &windows, &discs);
            if rules.bits() <= 64 {
                check_geometry::<u64>(&rules, &windows, &discs);
            }
        }
    }
}

/// The windows of a geometry are those that loops find, none twice.
fn check_windows<W: Word>(rules: &Rules) {
    let geometry = Geometry::<W>::new(rules);
    let expected: BTreeSet<u128> =
        oracle::windows(rules).into_iter().map(|window| bits(rules, window)).collect();
    assert_eq!(geometry.window_count() as usize, expected.len(), "{rules}");
    let mut found = BTreeSet::new();
    for direction in geometry.directions() {
        let mut anchors = direction.anchors;
        while !anchors.is_zero() {
            let window = geometry
                .offsets(direction)
                .fold(W::ZERO, |window, offset| window | anchors.lowest() << offset);
            found.insert(window.widen());
            anchors = anchors.without_lowest();
        }
    }
    assert_eq!(found, expected, "{rules}");
    let cells = oracle::places(rules);
    assert_eq!(geometry.cells().widen(), bits(rules, cells.iter().copied()));
    assert_eq!(
        geometry.bottom().widen(),
        bits(rules, cells.iter().copied().filter(|at| at.1 == 0))
    );
    for column in 0..rules.width() {
        let expected = bits(rules, cells.iter().copied().filter(|at| at.0 == column as usize));
        assert_eq!(geometry.column(column).widen(), expected);
    }
}

#[test]
fn windows_are_those_that_loops_find() {
    for text in RULES {
        let rules = rules(text);
        check_windows::<u128>(&rules);
        if rules.bits() <= 64 {
            check_windows::<u64>(&rules);
        }
    }
}

/// Counts anyone can check by hand.
#[test]
fn known_numbers_of_windows() {
    let known = [
        // Connect Four: 24 rows, 21 columns, 24 diagonals.
        ("7x6c4", 24 + 21 + 24),
        ("7x6s2", 6 * 5),
        ("3x3c3f", 8),
        ("4x4c4", 10),
        ("5x5s2", 16),
        ("1x7c3f", 5),
        ("64x1c2", 63),
        ("3x1c2", 2),
        // Six places across in each of 11 rows, seven up in each of 10 columns, and both at once
        // twice.
        ("10x11c5f", 6 * 11 + 10 * 7 + 2 * 6 * 7),
    ];
    for (text, count) in known {
        let rules = rules(text);
        assert_eq!(oracle::windows(&rules).len(), count, "{text}");
        assert_eq!(Geometry::<u128>::new(&rules).window_count() as usize, count, "{text}");
    }
}

/// The yardstick itself, against values that are common knowledge.
#[test]
fn plain_minimax_knows_the_small_games() {
    let never = |_: &Game| -> i32 { unreachable!("the whole game was searched") };
    let value = |text: &str| oracle::minimax(&Game::new(rules(text)), u32::MAX, &never);
    assert_eq!(value("3x3c3f"), 0, "tic-tac-toe is a draw");
    assert_eq!(value("3x3c3"), 0, "three in a row on 3x3 with gravity is a draw");
    assert_eq!(value("4x2c2"), oracle::BASE - 3, "two in a row is won with the second disc");
    assert_eq!(value("3x1c2"), oracle::BASE - 3, "from the middle there is always a neighbour");

    let one_ahead = oracle::minimax(&Game::new(Rules::CONNECT_FOUR), 1, &|game| {
        assert_eq!(game.ply(), 1);
        let column = game.cells.iter().position(|column| column[0].is_some()).expect("a disc");
        i32::try_from(column).expect("a small number") * 10
    });
    assert_eq!(one_ahead, 60, "MAX takes the best leaf");
    let two_ahead = oracle::minimax(&Game::new(Rules::CONNECT_FOUR), 2, &|game| {
        i32::try_from(
            game.cells.iter().flatten().filter(|cell| **cell == Some(Side::Second)).count(),
        )
        .expect("a small number")
            - game.cells[3].iter().flatten().count() as i32
    });
    assert_eq!(two_ahead, 0, "MIN takes the worst: it plays in the middle if MAX keeps out of it");
}
