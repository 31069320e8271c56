/**
 * Refuses names that the field has another word for (docs/glossary.md), so that they do not come back, and translated
 * texts that do not follow the glossary of their language (scripts/glossaries).
 */
import { globSync, readFileSync } from 'node:fs'
import { languageProblems } from './check-languages.ts'

const REPLACED: readonly { readonly name: RegExp; readonly instead: string }[] = [
  { name: /\bleave(?:First)?\(/, instead: 'release, defer or detach' },
  { name: /\bgiveUp\b/, instead: 'abandon, or what happens, such as markUncollectible' },
  {
    name: /\b(?:interface|type|class) \w*Answer\b/,
    instead: 'a response, reply, result or outcome',
  },
  { name: /\b(?:interface|type|class) Verdict\b/, instead: 'PaymentResult or Decision' },
  { name: /\b(?:MOST|LONGEST)_[A-Z]/, instead: 'MAX_' },
  {
    name: /\b(?:BriefMemory|OrderLedger|takeBack|askNow|usedUp)\b/,
    instead: 'the word of the field',
  },
  { name: /\bDueWork\b|\bdue work\b/, instead: 'job, due row or scheduled work' },
  {
    name: /(?<=(?:\/\/|^\s*\/?\*).*)\b(?:[Tt]ells?|[Tt]old)\b/,
    instead: 'return, report, show, say, send or notify',
  },
  {
    name: /\b(?:const|let|function) \[?(?:tells?|told)\b|\b(?:tells?|told)\(|\bisTold\b|\btest(?:\.\w+)*\(.*\b(?:tells?|told)\b/,
    instead: 'return, report, show, say, send or notify',
  },
  {
    name: /\banswer(?:ed|s)? = (?:await )?(?:server|raw|readAll|replyOf|csv|clock)\b|\banswerRepeated\b/,
    instead: 'response, reply or result',
  },
  {
    name: /(?<=(?:\/\/|^\s*\/?\*).*)\b(?:[Pp]age|[Rr]oute|[Rr]equests?|API) (?:(?:is |are )?answered|answers?)\b/,
    instead: 'return or respond',
  },
]

export function replacedWords(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      REPLACED.filter(({ name }) => name.test(line)).map(
        ({ name, instead }) => `${path}:${index + 1}: ${name.exec(line)?.[0]} (say ${instead})`,
      ),
    )
}

/** Generated files have the words of openapi.json, and this file and its test name what is refused. */
const NOT_READ = /\/generated\/|^scripts\/check-words\./
const SOURCES = ['src', 'scenarios', 'simulation', 'twins', 'bench', 'scripts', 'sdk', 'cli', 'web/console']

if (import.meta.main) {
  const files = globSync(
    SOURCES.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { exclude: ['**/node_modules/**', '**/dist/**'] },
  ).filter((path) => !NOT_READ.test(path))
  const problems = files.flatMap((path) => replacedWords(path, readFileSync(path, 'utf8')))
  for (const problem of problems) console.log(problem)
  console.log(`${problems.length} names that the field has another word for`)
  const texts = languageProblems()
  for (const problem of texts) console.log(problem)
  console.log(`${texts.length} texts that their language has other words or signs for`)
  if (problems.length + texts.length > 0) process.exitCode = 1
}
