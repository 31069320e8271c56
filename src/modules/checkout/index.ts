export { errors as checkoutErrors } from './errors.ts'
export type { CheckoutNeeds } from './needs.ts'
export { checkoutPages } from './routes.ts'
