<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\FilePageStore;
use Larder\Page\Files;
use Larder\Page\PageStore;

/** A page directory. Nothing happens there by itself. */
final class FilePlace implements PagePlace
{
    /** @var array{bytes: string, mtime: int} of the page store's mark */
    private array $mark = ['bytes' => '', 'mtime' => 0];

    /**
     * @param bool $faults    every call that changes a file may fail
     * @param bool $everyCall as DrivenFiles has it
     */
    public function __construct(
        private readonly string $pages,
        private readonly bool $faults,
        private readonly bool $everyCall,
        private readonly Files $files = new Files(),
    ) {}

    public function open(Implementation $implementation, ?ExploredProcess $process): PageStore
    {
        return $implementation->store(FilePageStore::class, [
            $this->pages,
            Storage::RELEASE,
            $process === null
                ? $this->files
                : new DrivenFiles($this->pages, $process, $process->drafts, $this->everyCall),
        ]);
    }

    public function keep(): void
    {
        $this->mark = $this->file('ledger') ?? $this->mark;
    }

    public function reset(): void
    {
        foreach (['draft', 'aside', 'r/' . Storage::RELEASE] as $room) {
            self::empty($this->pages . '/' . $room, $this->files);
        }
        $this->files->makeDirectory($this->pages . '/r/' . Storage::RELEASE);
        if ($this->file('ledger') !== $this->mark) {
            $this->files->unlink($this->pages . '/ledger');
            $this->files->write($this->pages . '/ledger', $this->mark['bytes']);
            $this->files->stamp($this->pages . '/ledger', $this->mark['mtime']);
        }
    }

    public function look(): PlaceState
    {
        $drafts = $rooms = [];
        foreach ($this->files->names($this->pages . '/draft') as $name) {
            $drafts[] = $name . ' ' . bin2hex($this->file('draft/' . $name)['bytes'] ?? '');
        }
        foreach (['draft', 'r', 'r/' . Storage::RELEASE, 'r/' . Storage::RELEASE . \dirname(Storage::KEY)] as $room) {
            $rooms[] = is_dir($this->pages . '/' . $room);
        }
        $served = array_filter([
            '' => $this->file('current' . Storage::KEY . '~page'),
            '.gz' => $this->file('current' . Storage::KEY . '~page.gz'),
        ], static fn(?array $file): bool => $file !== null);

        return new PlaceState(
            $drafts,
            json_encode([$rooms, $this->file('ledger')], JSON_THROW_ON_ERROR),
            $served,
        );
    }

    public function moves(): array
    {
        return [];
    }

    public function move(Move $move): void {}

    public function faults(string $step): array
    {
        return $this->faults && preg_match('/^(?:link|stamp|rename|unlink) /', $step) === 1 ? [Event::Fail] : [];
    }

    public function failed(): void {}

    public function remove(): void
    {
        $this->files->unlink($this->pages . '/current');
    }

    public static function empty(string $directory, Files $files): void
    {
        foreach ($files->entries($directory) as $name => $isDirectory) {
            $isDirectory ? self::empty($directory . '/' . $name, $files) : $files->unlink($directory . '/' . $name);
        }
        $files->removeDirectory($directory);
    }

    /** @return array{bytes: string, mtime: int}|null */
    private function file(string $path): ?array
    {
        return $this->files->read($this->pages . '/' . $path);
    }
}
