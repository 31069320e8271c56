export { eraseAgain } from './erasing/request-erasure.ts'
export { personalDataModule } from './module.ts'
