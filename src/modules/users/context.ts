import type { UsersDependencies } from './dependencies.ts'
import type { SignIn } from './sign-in/sign-in.ts'

export interface UsersContext extends UsersDependencies {
  readonly signIn: SignIn
}
