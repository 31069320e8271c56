export class Activity {
  committed = 0
  observe: (durationMs: number) => void = () => {}

  async measure<T>(transact: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const done = await transact()
    this.committed++
    this.observe(performance.now() - startedAt)
    return done
  }
}
