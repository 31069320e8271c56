import { type EngineTaxes, TaxAnswers, type TaxQuestion } from '../model/tax-answers.ts'

/** A concurrent change may raise other questions. In the last round they are not asked. */
const MAX_ROUNDS = 5

/**
 * Does the work, asks the engine the questions that lacked an answer, and does the work again with the answers. A failure of the
 * work may also come from a missing answer.
 */
export async function withAnswers<Result>(
  ask: (questions: readonly TaxQuestion[]) => Promise<ReadonlyMap<string, EngineTaxes | null>>,
  work: (answers: TaxAnswers) => Promise<Result>,
): Promise<Result> {
  const answers = new TaxAnswers()
  for (let round = 1; ; round++) {
    if (round === MAX_ROUNDS) answers.complete()
    let result: Result | undefined
    try {
      result = await work(answers)
    } catch (error) {
      if (answers.missing.length === 0) throw error
      answers.add(await ask(answers.missing))
      continue
    }
    if (answers.missing.length > 0) throw new Error('work was stored that lacks answers of the tax engine')
    return result
  }
}
