export { guideModule } from './module.ts'
