/**
 * Prints the files of a report that CI runs once more, alone: `node scripts/failed-files.ts report.json`. It prints nothing if there are
 * many, which is more than a busy machine explains, or if one is of the simulation, whose findings a second run must not hide.
 */
import { failuresOf, readReport } from './test-report.ts'

/** A run on a machine at half speed failed in up to three files, each by its own time limit. */
const MAX_FILES = 3

const [report = ''] = process.argv.slice(2)
const files = [...new Set(failuresOf(readReport(report)).map(({ file }) => file))]
const isRepeated = files.length <= MAX_FILES && !files.some((file) => file.startsWith('simulation/'))
if (isRepeated) for (const file of files) console.log(file)
