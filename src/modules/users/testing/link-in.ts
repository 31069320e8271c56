export function linkIn(text: string | undefined): string {
  return /https?:\/\/\S+/.exec(text ?? '')?.[0] ?? ''
}
