/** What a step moves of an amount: at least one minor unit, since the service refuses an amount of zero. */
export function shareOf(minor: bigint, percent: number): bigint {
  const share = (minor * BigInt(percent)) / 100n
  return share > 0n ? share : 1n
}
