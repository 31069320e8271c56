import type { Money } from '#kernel/money'
import type { NamedRate, TaxBehavior } from './tax.ts'

export interface EngineLine {
  readonly amount: Money
  readonly taxCategory: string
  readonly taxBehavior: TaxBehavior
}

export interface TaxQuestion {
  readonly key: string
  readonly body: object
  readonly lines: readonly { readonly id: string; readonly line: EngineLine }[]
}

export interface EngineTax extends NamedRate {
  readonly amount: Money
}

export type EngineTaxes = readonly (readonly EngineTax[])[]

/** Null for silence. */
export interface AnswersTaxes {
  readonly answerTo: (question: TaxQuestion) => EngineTaxes | null
}

/** For work that asks nothing: the rule for silence applies. */
export const SILENCE: AnswersTaxes = { answerTo: () => null }

class TaxesUnanswered extends Error {
  constructor() {
    super('the tax engine has not been asked')
  }
}

/**
 * The engine's answers for a piece of work. Decisions treat a missing answer as silence. Such a decision is discarded, because
 * whoever stores it calls `requireAll` first. Then the engine is asked, and the work begins anew.
 */
export class TaxAnswers implements AnswersTaxes {
  readonly #answers = new Map<string, EngineTaxes | null>()
  #missing = new Map<string, TaxQuestion>()
  #isComplete = false

  answerTo(question: TaxQuestion): EngineTaxes | null {
    const answer = this.#answers.get(question.key)
    if (answer === undefined && !this.#isComplete) this.#missing.set(question.key, question)
    return answer ?? null
  }

  get missing(): readonly TaxQuestion[] {
    return [...this.#missing.values()]
  }

  /** @throws TaxesUnanswered so that the transaction of the caller rolls back */
  requireAll(): void {
    if (this.#missing.size > 0) throw new TaxesUnanswered()
  }

  add(answers: ReadonlyMap<string, EngineTaxes | null>): void {
    for (const [key, answer] of answers) this.#answers.set(key, answer)
    this.#missing = new Map()
  }

  /** From now on missing answers count as silence. */
  complete(): void {
    this.#isComplete = true
  }
}
