import { decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import { taxQuestion } from '../engine/question.ts'
import type { TaxBehavior, TaxedAs } from '../model/tax.ts'
import type { TaxableLine } from './assess-taxes.ts'
import { decideTreatment } from './decide-treatment.ts'
import type { TaxGround } from '../model/tax-ground.ts'

export interface UntreatedLine {
  readonly amount: Money
  readonly taxCategory: string
  readonly taxedAs?: TaxedAs | undefined
}

interface Treat {
  readonly date: string
  readonly behavior: TaxBehavior
  readonly currency: string
}

const NO_TAX: TaxedAs = { treatment: 'taxed', rates: [{ name: 'Tax', percentage: decimal(0) }] }

export function treatLines(
  ground: TaxGround,
  lines: readonly UntreatedLine[],
  { date, behavior, currency }: Treat,
): TaxableLine[] {
  const treated = lines.map(({ amount, taxCategory, taxedAs }): TaxableLine => {
    return { amount, taxedAs: taxedAs ?? decideTreatment(ground, taxCategory, date) }
  })
  const { engine } = ground
  if (engine === undefined) return treated
  const asked = [...lines.keys()].filter(
    (index) => lines[index]?.taxedAs === undefined && isTaxed(treated[index]),
  )
  if (asked.length === 0) return treated
  const { seller, buyer, onSilence, answers } = engine
  const engineLines = asked.flatMap((index) => {
    const line = lines[index]
    return line === undefined
      ? []
      : [{ amount: line.amount, taxCategory: line.taxCategory, taxBehavior: behavior }]
  })
  const answer = answers.answerTo(taxQuestion({ seller, buyer, date, lines: engineLines }, currency))
  if (answer === null && onSilence === 'rates') return treated
  const positions = new Map(asked.map((index, position) => [index, position]))
  return treated.map((line, index) => {
    const position = positions.get(index)
    if (position === undefined) return line
    const taxes = answer?.[position]
    if (taxes === undefined) return { ...line, taxedAs: { treatment: 'no_rate', rates: [] } }
    if (taxes.length === 0) return { ...line, taxedAs: NO_TAX }
    const rates = taxes.map(({ name, percentage }) => ({ name, percentage }))
    return {
      amount: line.amount,
      taxedAs: { treatment: 'taxed', rates },
      amounts: taxes.map(({ amount }) => amount),
    }
  })
}

function isTaxed(line: TaxableLine | undefined): boolean {
  return line?.taxedAs.treatment === 'taxed' || line?.taxedAs.treatment === 'no_rate'
}
