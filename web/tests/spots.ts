/** Spots that are solved in a second or so. */

const ranges = `[ranges]
oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs"
ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+"
`
export const RIVER = `${ranges}
[cards]
flop = "Td9d6h"
turn = "Qc"
river = "2h"

[tree]
starting_pot = 200
effective_stack = 900
preset = "standard"

[solver]
target_exploitability_pct = 0.3
`
export const TURN = RIVER.replace('river = "2h"\n', '').replace('0.3', '0.5')
export const FLOP = `[ranges]
oop = "TT+,AJs+,KQs,AQo+"
ip = "QQ-77,AQs-A9s,KJs+,AJo+"

[cards]
flop = "Td9d6h"

[tree]
starting_pot = 200
effective_stack = 900
preset = "simple"

[solver]
target_exploitability_pct = 3
`
/** Takes longer than anybody waits: for watching, pausing and stopping. */
export const LONG = TURN.replace('preset = "standard"', 'preset = "wide"').replace('0.5', '0.000001').replace('[solver]', '[solver]\nmax_iterations = 1000000')

/** A spot over four flops, which takes a second. */
export const PLAN = `
flops = ["As7d2c", "Td9d6h", "KhKd4s", "8s5s3s"]
[[spots]]
name = "small"
ranges = { oop = "AA,QQ,JTs", ip = "KK,AQs,T9s" }
tree = { starting_pot = 100, effective_stack = 100 }
bet_sizes = { flop = { oop_bet = "50%", ip_bet = "50%" } }
solver = { target_exploitability_pct = 1 }
`

/** A whole hand of eight big blinds with few buckets: it trains in seconds. */
export const GAME = `stack = 800
seed = 3
batch = 4
[betting]
preset = "A"
[betting.flop]
bet = "75%, a"
[betting.turn]
bet = "a"
[betting.river]
bet = "a"
[buckets]
flop = { method = "percentile", buckets = 10 }
turn = { method = "percentile", buckets = 10 }
river = { method = "percentile", buckets = 10 }
samples_per_street = 500
`
