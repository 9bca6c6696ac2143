"""Draws what the stand-in detector takes for faces: pictures and films in the folder it is run in."""
import cv2, numpy as np
rng=np.random.default_rng(1)
def picture(w,h,cells,light=120,blur=0,owner=0):
    im=np.full((h,w,3),30,np.uint8)
    r=np.random.default_rng(owner)
    skin=(r.random((12,12,3))*light*2).clip(0,255).astype(np.uint8)
    for (cx,cy) in cells:
        x,y=cx*64-64,cy*64-64
        im[y:y+192,x:x+192]=cv2.resize(skin,(192,192),interpolation=cv2.INTER_NEAREST)
        im[cy*64:cy*64+64,cx*64:cx*64+64]=(0,255,0)
    if blur: im=cv2.GaussianBlur(im,(0,0),blur)
    return im
cv2.imwrite('one.png',picture(640,448,[(4,3)])); cv2.imwrite('none.png',picture(640,448,[])); cv2.imwrite('two.png',picture(960,448,[(2,3),(10,3)]))
cv2.imwrite('dark.png',picture(640,448,[(4,3)],light=3)); cv2.imwrite('other.png',picture(640,448,[(4,3)],owner=7)); cv2.imwrite('same.png',picture(640,448,[(5,2)],light=110))
for name, cells in (('one.avi', [(4, 3)]), ('none.avi', [])):
    w = cv2.VideoWriter(name, cv2.VideoWriter_fourcc(*'MJPG'), 15, (640, 448))
    for i in range(40):
        w.write(picture(640, 448, cells, light=118 + i % 3))
    w.release()
