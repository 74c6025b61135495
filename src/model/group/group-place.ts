/** A tool that is shown as one action of another. */
export interface GroupPlace {
  /** As callers see it. */
  readonly tool: string;
  /** Of that tool. */
  readonly title: string;
  readonly action: string;
  /** Old names of the action: still understood, not listed. */
  readonly aliases?: readonly string[];
  /** The argument that chooses the action. */
  readonly discriminator: string;
}
