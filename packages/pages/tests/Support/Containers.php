<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;

/** Containers of one image: each sees a page directory of its own at the same path. */
final readonly class Containers
{
    public function __construct(private string $pages) {}

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    public function in(string $name, Closure $do): mixed
    {
        $own = $this->pages . '-of-' . $name;
        if (is_dir($own)) {
            rename($own, $this->pages);
        }
        try {
            return $do();
        } finally {
            if (is_dir($this->pages)) {
                rename($this->pages, $own);
            }
        }
    }
}
