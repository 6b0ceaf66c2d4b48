<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * Tells a page directory from all others: 16 letters and digits, which its first deployment makes and the ledger knows.
 * So a process that sees another directory at the same path, in another container or on another host, is not taken for
 * one that could drop the pages.
 *
 * It is a file that is made in one step: of many processes that make it one wins, and none sees half of it. Nobody can
 * change it who may not write to the directory.
 *
 * The first letters are random. The others say by which a directory without an identity is still known:
 * - machine and boot, if the directory is in memory: on the same machine, at another boot, it is gone for sure;
 * - the boot with the directory's device and inode: it is the same one, and somebody has emptied it.
 *
 * @internal
 */
final readonly class DirectoryIdentity
{
    /** Letters of each of four parts. */
    private const PART = 4;

    /** The first half of what a part can be is for what is known. */
    private const OF_TEXTS = 36 ** self::PART / 2;

    /** @param string $directory it need not be there */
    public function __construct(
        private string $directory,
        private Files $files,
        private Machine $machine,
    ) {}

    /** @return string empty: the directory has none yet */
    public function read(): string
    {
        $bytes = $this->files->read($this->file())['bytes'] ?? '';

        // Later lines are left to later versions.
        return preg_match('/\A[0-9a-z]{16}$/m', $bytes, $found) === 1 ? $found[0] : '';
    }

    /**
     * Reads the identity, and makes it where there is none.
     *
     * @throws PageStoreFailed
     */
    public function make(): string
    {
        $identity = $this->read();
        if ($identity !== '') {
            return $identity;
        }
        $kind = $this->files->kind($this->directory);
        if (FileSystem::isShared($kind)) {
            throw PageStoreFailed::onASharedFileSystem($this->directory, $kind);
        }
        $this->files->makeDirectory($this->directory);
        $this->files->keep($this->file(), implode('', $this->parts(FileSystem::isInMemory($kind))) . "\n");
        // It may be another process's.
        $identity = $this->read();

        return $identity !== ''
            ? $identity
            : throw PageStoreFailed::during('read', $this->file(), 'it is no identity: remove it');
    }

    /** Whether this directory has that identity, or had it, or the one that has it is gone for sure. */
    public function mayBe(string $identity): bool
    {
        $own = $this->read();
        if (($own !== '' && $identity === $own) || $this->machine->wasCalled($identity)) {
            return true;
        }
        if (\strlen($identity) !== 4 * self::PART || $this->machine->boot === '') {
            return false;
        }
        [, $machine, $boot, $node] = str_split($identity, self::PART);
        [, $ofMachine, $ofBoot, $ofNode] = $this->parts(true);

        return ($this->machine->id !== '' && $machine === $ofMachine && $boot !== $ofBoot)
            || ($own === '' && $node === $ofNode && $this->files->node($this->directory) !== null);
    }

    /** @return array{string, string, string, string} */
    private function parts(bool $isInMemory): array
    {
        $node = $this->files->node($this->directory);
        [$id, $boot] = [$this->machine->id, $this->machine->boot];
        $endsWithBoot = $isInMemory && $id !== '' && $boot !== '';

        return [
            self::letters(null),
            self::letters($endsWithBoot ? $id : null),
            self::letters($endsWithBoot ? $boot : null),
            self::letters($node !== null && $boot !== '' ? "$boot $node" : null),
        ];
    }

    /** @param string|null $text null: it is not known, and random letters are never those of a text */
    private static function letters(?string $text): string
    {
        $number = $text === null
            ? random_int(self::OF_TEXTS, 2 * self::OF_TEXTS - 1)
            : (int) hexdec(substr(hash('xxh64', $text), 0, 12)) % self::OF_TEXTS;

        return str_pad(base_convert((string) $number, 10, 36), self::PART, '0', STR_PAD_LEFT);
    }

    private function file(): string
    {
        return $this->directory . '/identity';
    }
}
