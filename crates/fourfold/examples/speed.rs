use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules};
use fourfold::search::*;
fn main() {
    let p = Position::new(Rules::CONNECT_FOUR);
    let mut o = SearchOptions::minimax();
    for (ev, d) in [("terminal", 9), ("windows", 8), ("square", 8), ("open-lines", 8)] {
        let r: Rules = if ev == "square" { Rules::SQUARE } else { Rules::CONNECT_FOUR };
        let mut s = Searcher::new(ev.parse().unwrap(), o.clone());
        let rep = s.search(&Position::new(r), &Limits::depth(d), 0).unwrap();
        let t = rep.elapsed.as_secs_f64();
        println!(
            "{ev} {} nodes {:.1} M nodes/s {:.1} M evals/s",
            rep.counters.nodes,
            rep.counters.nodes as f64 / t / 1e6,
            rep.counters.evaluations as f64 / t / 1e6
        );
    }
    o = SearchOptions { mid_col: true, early_win: true, ..Default::default() };
    let mut s = Searcher::new("windows".parse::<Evaluator>().unwrap(), o);
    for d in [9, 10, 11] {
        let rep = s.search(&p, &Limits::depth(d), 0).unwrap();
        println!("ab d{d} {} nodes {:?} {}", rep.counters.nodes, rep.elapsed, rep.verdict);
    }
}
