/** Something the user can put right. Its message is all that is printed. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
