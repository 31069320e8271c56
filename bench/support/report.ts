export interface Figure {
  readonly name: string
  readonly unit: string
  readonly ours: number
  readonly limit: number
  readonly limitName: string
  readonly aim: number
}

/** The share by which a figure may miss its aim before CI fails, because CI runs on shared machines. */
export const SLACK = 0.3

/** The share by which a median of five may miss its aim on a shared machine. */
export const NOISE = 0.2

/** Prints a figure and returns whether its ratio reaches the aim, less the slack. */
export function report(figure: Figure): boolean {
  const ratio = figure.ours / figure.limit
  const holds = ratio >= figure.aim * (1 - SLACK)
  const rounded = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  console.log(
    `${figure.name}: ${rounded(figure.ours)} ${figure.unit}; ${figure.limitName}: ${rounded(figure.limit)}; ` +
      `ratio ${ratio.toFixed(2)}, aim ${figure.aim}${holds ? '' : ': TOO LOW'}`,
  )
  return holds
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]
  if (value === undefined) throw new Error('there are no measurements')
  return value
}

export interface RateOptions {
  readonly seconds: number
  /** Leaves out what is printed and not asserted. */
  readonly onlyRates: boolean
}
