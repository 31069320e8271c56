/** Runs `work` for every element, so many at a time, and answers the results in the order of the elements. */
export async function inParallel<Element, Result>(
  elements: readonly Element[],
  atOnce: number,
  work: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const runner = async (): Promise<void> => {
    for (let index = next++; index < elements.length; index = next++) {
      results[index] = await work(elements[index] as Element, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
  return results
}
