import { AsyncLocalStorage } from 'node:async_hooks'
import type { Money } from '#kernel/money'
import type { NamedRate, TaxBehavior } from '../model/tax.ts'

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

class TaxesUnanswered extends Error {
  readonly questions: readonly TaxQuestion[]
  constructor(questions: readonly TaxQuestion[]) {
    super('the tax engine has not been asked')
    this.questions = questions
  }
}

/** Lets a batch ask the questions of all its members at once. */
export class TaxQuestions {
  readonly #questions: TaxQuestion[] = []

  /** Keeps the questions of a `TaxesUnanswered`. Any other error is thrown again. */
  keep(error: unknown): void {
    if (!(error instanceof TaxesUnanswered)) throw error
    this.#questions.push(...error.questions)
  }

  throwAny(): void {
    if (this.#questions.length > 0) throw new TaxesUnanswered(this.#questions)
  }
}

/**
 * What a piece of work knows of the engine. Work outside such a scope asks nothing and takes what applies on silence.
 * - `answers`: Null for silence.
 */
interface EngineScope {
  readonly answers: Map<string, EngineTaxes | null>
  isClosed: boolean
}

const scopes = new AsyncLocalStorage<EngineScope>()

const MAX_ROUNDS = 5

export async function withAnswers<Result>(
  ask: (questions: readonly TaxQuestion[]) => Promise<ReadonlyMap<string, EngineTaxes | null>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const scope: EngineScope = { answers: new Map(), isClosed: false }
  for (let round = 1; ; round++) {
    scope.isClosed = round === MAX_ROUNDS
    try {
      return await scopes.run(scope, work)
    } catch (error) {
      if (!(error instanceof TaxesUnanswered)) throw error
      for (const [key, answer] of await ask(error.questions)) scope.answers.set(key, answer)
    }
  }
}

/** Null for silence. @throws TaxesUnanswered */
export function answerTo(question: TaxQuestion): EngineTaxes | null {
  const scope = scopes.getStore()
  const answer = scope?.answers.get(question.key)
  if (answer !== undefined) return answer
  if (scope === undefined || scope.isClosed) return null
  throw new TaxesUnanswered([question])
}
