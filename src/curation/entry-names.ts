/** Names of the format's own kind. */
export const INPUT_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const STEP_ID = INPUT_NAME;
export const ERROR_CODE = /^[a-z][a-z0-9_]{0,63}$/;
export const RESERVED_INPUTS: readonly string[] = ["limit", "pageToken", "filter", "confirm"];
