export interface GuideDependencies {
  readonly publicUrl: () => string
}
