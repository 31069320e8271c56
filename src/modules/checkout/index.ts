export { errors as checkoutErrors } from './errors.ts'
export { checkoutPages } from './routes.ts'
