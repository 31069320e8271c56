export { errors as personalDataErrors } from './api/errors.ts'
export { personalDataRoutes } from './api/routes.ts'
export { verifyPersonalData } from './audit/verify.ts'
export { PersonalDataModule } from './personal-data.ts'
