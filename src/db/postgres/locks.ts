/** The first key of parley's advisory locks: "prly". With 0 as the second, each transaction shares it, and one that must be alone has it alone. */
export const lockSpace = 0x70726c79;
