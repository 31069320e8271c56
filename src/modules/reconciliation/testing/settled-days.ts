export { changeDays, settledDays } from '../storage/day.repository.ts'
