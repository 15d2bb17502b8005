//! Subgames of small games: solved again while the rest of a strategy stays as it is.
//!
//! One player, the *hero*, gets a new strategy in a subgame; what it did on the way there is fixed. What the opponent may
//! do depends on the [`Formulation`]:
//!
//! 1. [`Unsafe`](Formulation::Unsafe): the opponent comes with the reach that the old strategy gives it. Nothing keeps it from
//!    coming with other hands against the new strategy, so that may lose more than the old one.
//! 2. [`Resolve`](Formulation::Resolve): each of its hands chooses at the beginning between following and an alternative,
//!    its best-response value against the old strategy. A hand that gains by the new strategy follows, so the hero
//!    gives no hand more than before: the new strategy is at most as exploitable as the old one.
//! 3. [`Estimate`](Formulation::Estimate): the same with the value in self-play, which is nearer to what an equilibrium
//!    would give the hand.
//! 4. [`MaxMargin`](Formulation::MaxMargin): the opponent chooses the hand with which the hero gives back least of the
//!    best-response values: the hero maximises the least margin.
//!
//! Values and alternatives are *counterfactual*: chips times chance times the hero's reach, never divided by either.
//!
//! ```
//! use equipoise_cfr::subgame::{Formulation, Resolving, resolve_all};
//! use equipoise_cfr::{Algorithm, Leduc, ToyGame, Trainer};
//! use std::ops::ControlFlow;
//!
//! let tree = ToyGame::Leduc.tree();
//! let mut trainer = Trainer::new(&tree, Algorithm::default());
//! trainer.run(20, |_| ControlFlow::Continue(()));
//! let crude = trainer.average_strategy();
//! let options = Resolving { iterations: 200, ..Resolving::new(Formulation::Resolve) };
//! let better = resolve_all(&Leduc, &tree, &crude, &options);
//! assert!(tree.exploitability(&better) <= tree.exploitability(&crude) + 1e-3);
//! ```

mod gadget;
mod leaves;
mod resolve;
mod walk;

pub use leaves::{DepthLimited, LimitedState};
pub use resolve::{Formulation, Gifts, Resolved, Resolving, resolve_all};
pub use walk::{Entrance, Play, Subgame, Subgames, subgames};
