//! Re-solving of subgames of small games; the strategy outside the subgames is fixed.
//!
//! One player, the *hero*, gets a new strategy in a subgame, which it enters with its reach in the old strategy. The
//! [`Formulation`] is what its opponent may do at the root of the subgame:
//!
//! 1. [`Unsafe`](Formulation::Unsafe): enter with its reach in the old strategy. Against the new strategy it may enter with
//!    other hands, so the new strategy may be more exploitable than the old one.
//! 2. [`Resolve`](Formulation::Resolve): follow or terminate with each hand. Terminating pays the alternative value, here the
//!    hand's best-response value against the old strategy. A hand that gains by the new strategy follows, so no hand
//!    gains more than before: the new strategy is at most as exploitable as the old one.
//! 3. [`Estimate`](Formulation::Estimate): the same, but alternatives are values of self-play, which are nearer to the
//!    values of an equilibrium.
//! 4. [`MaxMargin`](Formulation::MaxMargin): choose one hand. The margin of a hand is its alternative, a best-response value,
//!    less its value in the subgame; the hero maximises the least margin.
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
