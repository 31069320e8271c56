// @ts-check
/**
 * A rule for oxlint: a regular expression must not take more than linear time, because one request with a long run of blanks or digits
 * would stop the process for everybody. scslre finds two quantifiers that can exchange characters, and one that is tried again from
 * each character of a run. It does not find an expression of several parts that looks for an end from each beginning, such as that
 * of an unfinished string.
 */
import { analyse } from 'scslre'

const PROBLEMS = {
  Self: 'a quantifier that reaches itself',
  Trade: 'two quantifiers that can exchange characters',
  Move: 'a quantifier that is tried again from each character of a run, unless something such as (?<!…) stands before it',
}

/** @param {{ pattern: string, flags: string }} regex */
function problemOf({ pattern, flags }) {
  const [report] = analyse({ source: pattern, flags }, { maxReports: 1 }).reports
  return report && `${PROBLEMS[report.type]}: takes more than linear time on many "${report.character.pick}"`
}

export default {
  meta: { name: 'regular-expressions' },
  rules: {
    linear: {
      /** @param {{ report: (problem: { node: object, message: string }) => void }} context */
      create: (context) => ({
        /** @param {{ regex?: { pattern: string, flags: string } }} node */
        Literal(node) {
          const message = node.regex && problemOf(node.regex)
          if (message !== undefined) context.report({ node, message })
        },
      }),
    },
  },
}
