export interface ConsoleDependencies {
  readonly publicUrl: () => string
  /** Default: the folder that `npm run build:console` writes. */
  readonly folder?: string
}
