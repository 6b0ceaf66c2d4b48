<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\FilePageStore;
use Larder\Page\NginxTemplates;
use Larder\Page\PageCache;
use Larder\Page\PagePath;
use Larder\Page\Part;
use Larder\Page\Parts;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(FilePageStore::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PageCache::class)]
#[CoversClass(PagePath::class)]
#[CoversClass(Part::class)]
#[CoversClass(Parts::class)]
final class PartsInFilesTest extends PartsCase
{
    protected static function startStore(string $directory): array
    {
        return [];
    }

    protected static function stopStore(): void {}
}
