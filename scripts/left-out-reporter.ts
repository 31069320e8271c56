import type { Reporter, TestModule } from 'vitest/node'

const NEED = /\(needs ([^)]+)\)/

/** Reports at the end of a run how many tests it left out, and what they need: the words `(needs …)` in their names. */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const need = NEED.exec(test.fullName)?.[1]
        if (need !== undefined) counts.set(need, (counts.get(need) ?? 0) + 1)
      }
    }
    for (const [need, count] of counts) {
      process.stdout.write(`Left out ${count} tests, which need ${need}.\n`)
    }
  }
}
