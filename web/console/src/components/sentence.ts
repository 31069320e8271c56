/** A word of the API as people write it: `limit_exceeded` becomes "Limit exceeded". */
export function sentence(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
