//! Random scenes and pairs through the conservative method, a few of what `cargo xtask soak` runs.

use impinge::stages::grid::signs::Verdict;
use impinge::stages::grid::triangle_filter::Record;
use impinge_gpu::{Context, GpuCollider};
use impinge_lab::families;
use impinge_lab::soak::Soak;
use impinge_lab::soak::filter::{self, Question, Tally};

/// Nothing only when somebody asked for that.
fn gpu() -> Option<GpuCollider> {
    let wanted = std::env::var_os("IMPINGE_NO_GPU").is_none();
    wanted.then(|| GpuCollider::new(Context::new().expect("a GPU, or software for one")).unwrap())
}

/// Every family through a judge.
fn tallies(pairs: usize, mut judge: impl FnMut(&[[Record; 2]]) -> Vec<Verdict>) -> Vec<Tally> {
    let each = |(family, seed): (&families::Family, u64)| {
        let questions: Vec<Question> = filter::questions(family, pairs, seed);
        let records: Vec<_> = questions.iter().map(|question| question.records).collect();
        filter::tally(family.name, &questions, &judge(&records))
    };
    families::all().iter().zip(1..).map(each).collect()
}

fn assert_right(tallies: &[Tally]) {
    for tally in tallies {
        assert!(tally.missed + tally.false_yes == 0, "{tally:?}");
    }
    let sum = |what: fn(&Tally) -> usize| tallies.iter().map(what).sum::<usize>();
    assert!(sum(|t| t.pairs) > 90_000 && sum(|t| t.touching) > 10_000);
    // Families that say nothing but "in doubt" would prove nothing.
    assert!(sum(|t| t.doubtful) < sum(|t| t.pairs) * 9 / 10);
}

#[test]
fn floats_claim_nothing_wrong() {
    assert_right(&tallies(2700, |pairs| pairs.iter().map(filter::judge).collect()));
}

#[test]
fn shaders_claim_nothing_wrong() {
    let Some(mut gpu) = gpu() else { return };
    assert_right(&tallies(2700, |pairs| gpu.judge(pairs).unwrap()));
}

/// Exact arithmetic on the GPU says what exact arithmetic says, of triangles that stand anywhere, and leaves little to the CPU but
/// neighbours and triangles without an interior.
#[test]
fn shaders_settle_what_floats_cannot_tell() {
    let Some(mut gpu) = gpu() else { return };
    let (mut told, mut all, mut touching) = (0, 0, 0);
    for (family, seed) in families::all().iter().zip(1..) {
        let questions: Vec<Question> = filter::questions(family, 600, seed);
        let exact: Vec<_> = questions.iter().map(|question| question.exact).collect();
        for (pose, as_floats) in filter::poses(&mut families::Rng::new(seed)).iter().zip([true, false, false])
        {
            let standing: Vec<_> = questions.iter().map(|q| q.standing(pose, as_floats)).collect();
            let tally =
                filter::tally(family.name, &standing, &gpu.judge_exactly(&exact, pose, as_floats).unwrap());
            assert!(tally.missed + tally.false_yes == 0, "{pose:?} {tally:?}");
            let apart = |q: &&Question| q.exact[0].vertices.iter().all(|v| !q.exact[1].vertices.contains(v));
            all += questions.iter().filter(apart).count();
            told += tally.pairs - tally.doubtful;
            touching += tally.touching;
        }
    }
    assert!(all > 20_000 && touching > 8_000, "{all} {touching}");
    assert!(told > all * 3 / 5, "{told} of {all}");
}

/// On which side of the plane of `a` the corners of `b` are, by floats that are believed.
fn is_beside_by_belief([a, b]: &[Record; 2]) -> bool {
    let minus = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let [p, q, r] = a.corners;
    let (u, v) = (minus(q, p), minus(r, p));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let side = |corner| {
        let w = minus(corner, p);
        n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
    };
    let sides = b.corners.map(side);
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

/// The pairs are hard enough: without bounds, floats miss contacts.
#[test]
fn floats_without_bounds_miss_contacts() {
    let believe =
        |pair: &[Record; 2]| if is_beside_by_belief(pair) { Verdict::Apart } else { Verdict::Doubtful };
    let tallies = tallies(500, |pairs| pairs.iter().map(believe).collect());
    assert!(tallies.iter().filter(|tally| tally.missed > 0).count() > 6, "{tallies:?}");
}

#[test]
fn random_scenes_have_the_contacts_of_every_triangle_with_every_other() {
    let mut soak = Soak::new(gpu());
    // The last is a body that touches, from inside, the one that holds it.
    for seed in (0..400).chain([6618]) {
        soak.run(seed).unwrap_or_else(|what| panic!("{what}"));
    }
    assert!(soak.tally.contacts > 10_000 && soak.tally.containments > 0, "{:?}", soak.tally);
}
