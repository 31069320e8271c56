export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Terminal {
  readonly stdout: Output
  readonly stderr: Output
}
