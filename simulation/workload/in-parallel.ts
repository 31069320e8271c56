/** Maps every element with at most `concurrency` calls at a time. The results are in the order of the elements. */
export async function inParallel<Element, Result>(
  elements: readonly Element[],
  concurrency: number,
  map: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < elements.length; index = next++) {
      results[index] = await map(elements[index] as Element, index)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
