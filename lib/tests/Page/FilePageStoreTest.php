<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(FilePageStore::class)]
final class FilePageStoreTest extends TestCase
{
    public function testAPageThatComesAfterAllWereTakenOutOfServiceIsNotPublished(): void
    {
        $directory = new TemporaryDirectory();
        try {
            $store = new FilePageStore($directory->path, 'r1');
            $store->begin('life', 1, 'r1');
            $page = PagePath::of('/news/4') ?? throw new LogicException('It is canonical.');
            $draft = $store->draft($page, 'text');
            $store->clear();

            self::assertFalse($store->publish($draft, 2));
            self::assertNull($store->read($page, false));
        } finally {
            $directory->remove();
        }
    }
}
