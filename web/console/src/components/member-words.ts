const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['url', 'URL'],
  ['iban', 'IBAN'],
  ['bic', 'BIC'],
  ['fps', 'FPS'],
  ['csv', 'CSV file'],
  ['email', 'e-mail address'],
])

/**
 * A path of at least two names or with an index, or one name of several words. Ids, addresses and scopes do not
 * match.
 */
const PATH = /(?<![\w@/:.-])[a-z]+(?:[._][a-z]+|\[\d+\])+(?![\w@/:]|\.\w)/g

/**
 * A sentence of the API with the words that people read for the members of its request:
 * `tax_rate.valid_until must …` becomes "Valid until must …".
 * @param param what the error is about: paths of one word each are members only if they begin as it does
 */
export function inWords(text: string, param: string | undefined): string {
  const root = param?.match(/^[a-z]+(?:_[a-z]+)*/)?.[0]
  const said = text.replace(PATH, (path) => {
    const isMember = path.includes('_') || path.includes('[') || path.split('.')[0] === root
    return isMember ? wordsOf(path) : path
  })
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function wordsOf(path: string): string {
  const name =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? path
  const words = name
    .replaceAll(/\[\d+\]/g, '')
    .split('_')
    .map((word) => ABBREVIATIONS.get(word) ?? word)
    .join(' ')
  const index = path.match(/\[(\d+)\]/)?.[1]
  return index === undefined ? words : `${words} (no. ${Number(index) + 1})`
}
