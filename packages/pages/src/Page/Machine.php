<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal What tells this machine from others, and its present boot from others. */
final readonly class Machine
{
    /** Of the first process on Linux. A container has another. */
    private const FIRST_PROCESSES = 'pid:[4026531836]';

    /**
     * @param string $id   with the host's name; empty: it cannot be told from others, as a container, since an image
     *     may bring its machine-id into each
     * @param string $boot the kernel's, so that containers of one machine have the same; empty: it is not known
     */
    public function __construct(
        public string $id,
        public string $boot,
        private string $former = '',
    ) {}

    public static function here(): self
    {
        $text = static fn(string $file): string => trim((string) @file_get_contents($file));
        $id = $text('/etc/machine-id');
        $isPlain = @is_dir('/run/systemd/system') || @readlink('/proc/self/ns/pid') === self::FIRST_PROCESSES;

        return new self(
            // Machines that were copied mostly have names of their own.
            $id !== '' && $isPlain ? $id . ' ' . gethostname() : '',
            $text('/proc/sys/kernel/random/boot_id'),
            $id === '' ? '' : hash('xxh64', $id),
        );
    }

    /** Whether a ledger has this in place of the identity of a directory, since directories had none yet. */
    public function wasCalled(string $name): bool
    {
        return $name !== '' && $name === $this->former;
    }
}
