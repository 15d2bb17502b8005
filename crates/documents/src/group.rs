//! Means over some combos of a player at a decision.

use equipoise_postflop::ComboView;

/// What some combos are worth and do together, each weighted by how often it is held.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ComboGroup {
    /// How many combos are held.
    pub combos: usize,
    /// Their weight.
    pub weight: f64,
    /// How often they are held; not normalised.
    pub held: f64,
    /// Win plus tie share without further betting.
    pub equity: Option<f64>,
    /// Chips from here on.
    pub ev: Option<f64>,
    /// How often each action is taken; empty for the player who does not act.
    pub frequencies: Vec<f64>,
    /// What each action is worth for those that take it.
    pub action_evs: Vec<Option<f64>>,
}

/// A sum of weighted values.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, weight: f64, value: Option<f64>) {
        if let Some(value) = value.filter(|_| weight > 0.0) {
            self.sum += weight * value;
            self.weight += weight;
        }
    }

    fn get(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl ComboGroup {
    /// Combos that are never held count for nothing.
    #[must_use]
    pub fn of<'a>(combos: impl IntoIterator<Item = &'a ComboView>, num_actions: usize) -> ComboGroup {
        let mut group = ComboGroup::default();
        let (mut equity, mut ev) = (Mean::default(), Mean::default());
        let mut taken = vec![Mean::default(); num_actions];
        let mut worth = vec![Mean::default(); num_actions];
        for combo in combos {
            let share = combo.share();
            group.combos += usize::from(share > 0.0);
            group.weight += combo.weight;
            group.held += share;
            equity.add(share, combo.equity);
            ev.add(share, combo.ev);
            for (action, &frequency) in combo.frequencies.iter().enumerate() {
                taken[action].add(share, Some(frequency));
                worth[action].add(share * frequency, combo.action_evs[action]);
            }
        }
        group.equity = equity.get();
        group.ev = ev.get();
        group.frequencies = taken.into_iter().map(|mean| mean.get().unwrap_or(0.0)).collect();
        group.action_evs = worth.into_iter().map(Mean::get).collect();
        group
    }
}
