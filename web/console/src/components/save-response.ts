/** Saves the body of a response as a file. */
export async function saveResponse(response: Response, fileName: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob())
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  anchor.click()
  // Safari reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
