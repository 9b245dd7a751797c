/// The questions of the standard seed, by number. Made by
/// `cargo run -p fourfold-teach --example choose > crates/fourfold-teach/src/standard.rs`.
#[rustfmt::skip]
const STANDARD: [(SearchPart, &[u64]); 4] = [
    (SearchPart::MinimaxTrees, &[
        3, 63, 341, 362, 44, 89, 142, 236, 265, 458, 5, 27, 409, 112, 126, 403,
        121, 370,
    ]),
    (SearchPart::AlphaBetaTrees, &[
        101, 142, 239, 261, 378, 409, 476, 498, 363, 559, 121, 129, 244, 311, 551, 61,
        419, 571, 255, 317,
    ]),
    (SearchPart::MinimaxPositions, &[
        43, 65, 75, 175, 195, 352, 478, 573, 8, 11, 265, 380, 454, 465, 596, 79,
        401, 575, 296, 289, 56, 207, 31,
    ]),
    (SearchPart::AlphaBetaPositions, &[
        75, 175, 478, 497, 573, 596, 14, 79, 401, 531, 589, 289, 296, 94, 392, 391,
        493, 31, 323, 53, 353, 171, 354,
    ]),
];
