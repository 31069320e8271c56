/** Steps of an axis that people read easily, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const
const INTERVALS = 4
/** Pixels of a letter at the size of the axes. Chinese characters are as wide as they are high. */
const LETTER_PX = 6.5
const WIDE_LETTER_PX = 12
/** Pixels between two names of days. */
const GAP_PX = 28

/** The numbers beside an axis that begins at 0 and holds `max`. */
export function ticksOf(max: number): readonly number[] {
  const least = max > 0 ? max / INTERVALS : 0.25
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * (STEPS.find((factor) => factor * power >= least) ?? 10)
  return Array.from({ length: INTERVALS + 1 }, (_, index) => index * step)
}

/** Which of the days have room for their names, with `bandPx` for each day. The last one always has. */
export function namedDays(names: readonly string[], bandPx: number): readonly number[] {
  const every = Math.max(1, Math.ceil((Math.max(...names.map(widthOf)) + GAP_PX) / bandPx))
  return names.map((_, index) => index).filter((index) => (names.length - 1 - index) % every === 0)
}

function widthOf(text: string): number {
  const wide = text.match(/[\u2E80-\uFFFF]/g)?.length ?? 0
  return wide * WIDE_LETTER_PX + (text.length - wide) * LETTER_PX
}
