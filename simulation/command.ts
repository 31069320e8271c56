import type { SystemReport } from './system/system.ts'

export const MAX_SEED = 0x7fff_ffff
const MAX_PRINTED_FINDINGS = 50

export function wholeNumber(name: string, text: string, min: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= min) return Number(text)
  throw new Error(`--${name} must be a whole number of at least ${min}.`)
}

export function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === text)
  if (found === undefined) throw new Error(`--${name} must be one of ${choices.join(', ')}.`)
  return found
}

export function untilInterrupted(): AbortSignal {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)))
  }
  return interruption.signal
}

/** Prints the findings, and what was done to plans and sent invoices. Sets the exit code to 1 if there are findings. */
export function printFindings({ acts, findings, keptDirectory }: SystemReport): void {
  const counts = [...acts].map(([kind, times]) => `${kind} ${times}`).join(', ')
  if (counts !== '') console.log(`acts: ${counts}`)
  if (findings.length === 0) return console.log('The books of every merchant are as modelled.')
  process.exitCode = 1
  for (const finding of findings.slice(0, MAX_PRINTED_FINDINGS)) console.log(`FOUND: ${finding}`)
  if (keptDirectory === undefined) return
  console.log(`${findings.length} findings. The files are in ${keptDirectory}. To replay:`)
  console.log(`  npm run simulate:system -- --replay ${keptDirectory}/plan.json`)
}
